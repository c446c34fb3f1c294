/** The same call for programs. */

const WIDE = 2;

/** The body of a call in the three languages that people copy most. */
export function snippetsOf(method: 'POST', path: string, body: object): readonly (readonly [string, string])[] {
  const url = `${location.origin}${path}`;
  const json = JSON.stringify(body, null, WIDE);
  return [
    ['curl', `curl -X ${method} ${url} \\\n  -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'`],
    [
      'Python',
      `import httpx\n\nresult = httpx.post(\n    "${url}",\n    json=${pythonLiteral(json).replaceAll('\n', '\n    ')},\n    timeout=60,\n).json()["data"]\nprint(result["total_pnl_pct"], result["num_trades"])`,
    ],
    [
      'TypeScript',
      `const response = await fetch('${url}', {\n  method: '${method}',\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),\n});\nconst { data } = await response.json();\nconsole.log(data.total_pnl_pct, data.num_trades);`,
    ],
  ];
}

const pythonLiteral = (json: string) =>
  json
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/: null\b/g, ': None');
