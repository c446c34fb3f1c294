/** The same search for programs: ask for it, then wait for its result. */

const WIDE = 2;

export function searchSnippets(body: object): readonly (readonly [string, string])[] {
  const url = `${location.origin}/v1/optimize`;
  const json = JSON.stringify(body, null, WIDE);
  return [
    [
      'curl',
      `curl ${url} \\\n  -H "x-api-key: $API_KEY" -H 'content-type: application/json' \\\n  -d '${JSON.stringify(body)}'\n# then, with the job_id of the answer:\ncurl "${url}/jobs/$JOB_ID?wait=25" -H "x-api-key: $API_KEY"`,
    ],
    [
      'Python',
      `import os, httpx\n\napi = httpx.Client(headers={"x-api-key": os.environ["API_KEY"]}, timeout=60)\njob = api.post("${url}", json=${pythonLiteral(json)}).json()["data"]\nwhile not (job.get("result") or job.get("error")):\n    job = api.get(f"${url}/jobs/{job['job_id']}?wait=25").json()["data"]\nprint(job["result"]["best"][0])`,
    ],
    [
      'TypeScript',
      `const headers = { 'x-api-key': 'YOUR_API_KEY', 'content-type': 'application/json' };\nconst ask = async (url: string, init?: RequestInit) => (await (await fetch(url, { headers, ...init })).json()).data;\nlet job = await ask('${url}', { method: 'POST', body: JSON.stringify(${json}) });\nwhile (!job.result && !job.error) job = await ask(\`${url}/jobs/\${job.job_id}?wait=25\`);\nconsole.log(job.result.best[0]);`,
    ],
  ];
}

const pythonLiteral = (json: string) =>
  json
    .replaceAll(/: true\b/g, ': True')
    .replaceAll(/: false\b/g, ': False')
    .replaceAll(/\btrue\b(?=[,\n\]])/g, 'True')
    .replaceAll(/\bfalse\b(?=[,\n\]])/g, 'False');
