/** The call of a page as programs in the three languages that people copy most. */

/** Name of a language, and the program in it. */
export type Sample = readonly [string, string];

interface SampleCall {
  /** Address of the call. */
  readonly url: string;
  readonly body: object;
  /** Whether guests may not make it. */
  readonly needsKey: boolean;
  /** Figures of the answer that the programs print. */
  readonly figures?: readonly string[];
}

const INDENT = 2;

const RUN_FIGURES = ['total_pnl_pct', 'num_trades'];

/** A run or a screen whose answer is awaited. */
export function runSamples({ url, body, needsKey, figures = RUN_FIGURES }: SampleCall): readonly Sample[] {
  const pythonKey = needsKey ? '    headers={"x-api-key": os.environ["API_KEY"]},\n' : '';
  const key = needsKey ? `'x-api-key': String(process.env.API_KEY), ` : '';
  return [
    ['curl', curl(url, body, needsKey)],
    [
      'Python',
      `import ${needsKey ? 'os, ' : ''}httpx\n\nresult = httpx.post(\n    "${url}",\n${pythonKey}    json=${pythonValue(body, 4)},\n    timeout=60,\n).json()["data"]\nprint(${figures.map((name) => `result["${name}"]`).join(', ')})`,
    ],
    [
      'TypeScript',
      `const response = await fetch('${url}', {\n  method: 'POST',\n  headers: { ${key}'content-type': 'application/json' },\n  body: JSON.stringify(${typescriptValue(body, INDENT)}),\n});\nconst { data } = await response.json();\nconsole.log(${figures.map((name) => `data.${name}`).join(', ')});`,
    ],
  ];
}

/** A search: queued, then polled for its result. */
export function searchSamples({ url, body }: SampleCall): readonly Sample[] {
  const job = `${url}/jobs/`;
  return [
    [
      'curl',
      `${curl(url, body, true)}\n# then, with the job_id of the answer:\ncurl "${job}$JOB_ID?wait=25" -H "x-api-key: $API_KEY"`,
    ],
    [
      'Python',
      `import os, httpx\n\napi = httpx.Client(headers={"x-api-key": os.environ["API_KEY"]}, timeout=60)\njob = api.post(\n    "${url}",\n    json=${pythonValue(body, 4)},\n).json()["data"]\nwhile not (job.get("result") or job.get("error")):\n    job = api.get(f"${job}{job['job_id']}?wait=25").json()["data"]\nprint(job["result"]["best"][0])`,
    ],
    [
      'TypeScript',
      `const headers = { 'x-api-key': String(process.env.API_KEY), 'content-type': 'application/json' };\nconst ask = async (url: string, init?: RequestInit) => (await (await fetch(url, { headers, ...init })).json()).data;\nlet job = await ask('${url}', { method: 'POST', body: JSON.stringify(${typescriptValue(body, 0)}) });\nwhile (!job.result && !job.error) job = await ask(\`${job}\${job.job_id}?wait=25\`);\nconsole.log(job.result.best[0]);`,
    ],
  ];
}

/** Work in chunks: queued, polled until it is done, then its result read. `list`: of the result, whose first is printed. */
export function sweepSamples({ url, body }: Pick<SampleCall, 'url' | 'body'>, list: string): readonly Sample[] {
  return [
    [
      'curl',
      `${curl(url, body, true)}\n# then, with the job_id of the answer, until it is done:\ncurl "${url}/$JOB_ID?wait=25" -H "x-api-key: $API_KEY"\ncurl "${url}/$JOB_ID/result" -H "x-api-key: $API_KEY"`,
    ],
    [
      'Python',
      `import os, httpx\n\napi = httpx.Client(headers={"x-api-key": os.environ["API_KEY"]}, timeout=60)\njob = api.post(\n    "${url}",\n    json=${pythonValue(body, 4)},\n).json()["data"]\nwork = f"${url}/{job['job_id']}"\nwhile not api.get(f"{work}?wait=25").json()["data"]["finished_at"]:\n    pass\nprint(api.get(f"{work}/result").json()["data"]["${list}"][0])`,
    ],
    [
      'TypeScript',
      `const headers = { 'x-api-key': String(process.env.API_KEY), 'content-type': 'application/json' };\nconst ask = async (url: string, init?: RequestInit) => (await (await fetch(url, { headers, ...init })).json()).data;\nconst job = await ask('${url}', { method: 'POST', body: JSON.stringify(${typescriptValue(body, 0)}) });\nconst work = \`${url}/\${job.job_id}\`;\nwhile (!(await ask(\`\${work}?wait=25\`)).finished_at);\nconsole.log((await ask(\`\${work}/result\`)).${list}[0]);`,
    ],
  ];
}

function curl(url: string, body: object, needsKey: boolean): string {
  const key = needsKey ? '-H "x-api-key: $API_KEY" ' : '';
  // A quote would end the string of the shell.
  const text = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl ${url} \\\n  ${key}-H 'content-type: application/json' \\\n  -d '${text}'`;
}

/** The value as a literal, whose lines are indented by so many spaces. */
function typescriptValue(value: unknown, indent: number): string {
  return JSON.stringify(value, null, INDENT).replaceAll('\n', `\n${' '.repeat(indent)}`);
}

const PYTHON_NAMES: ReadonlyMap<unknown, string> = new Map([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
]);

/** The same in Python. */
function pythonValue(value: unknown, indent: number): string {
  const name = PYTHON_NAMES.get(value);
  if (name !== undefined || typeof value !== 'object' || value === null) return name ?? JSON.stringify(value);
  const inner = indent + 4;
  const lines = Array.isArray(value)
    ? value.map((one) => pythonValue(one, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${JSON.stringify(key)}: ${pythonValue(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (lines.length === 0) return `${open}${close}`;
  return `${open}\n${lines.map((line) => `${' '.repeat(inner)}${line},\n`).join('')}${' '.repeat(indent)}${close}`;
}
