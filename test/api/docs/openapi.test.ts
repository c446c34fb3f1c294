/** The interface description as generated clients use it. */

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RATE_CATEGORIES } from '../../../api/access/plans.ts';
import { OPERATION_VERBS } from '../../../api/call/route.ts';
import { errorsByStatus } from '../../../api/docs/errors.ts';
import { withoutAnswers } from '../../../api/docs/openapi.ts';
import { ROUTES } from '../../../api/routes.ts';
import { required } from '../../../engine/util/values.ts';
import { DESCRIPTION } from '../../support/description.ts';

interface Part {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly links?: Readonly<Record<string, object>>;
  readonly [name: string]: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: readonly Part[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Part; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, Part>>;
}

interface Body {
  readonly schema: Part;
  readonly examples?: Readonly<Record<string, Part>>;
}

const document: {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Part>>>>;
} = JSON.parse(DESCRIPTION);
const { components } = document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

function resolved(part: Part): Part {
  if (part.$ref === undefined) return part;
  const [kind, name] = part.$ref.replace('#/components/', '').split('/');
  return components[kind][name];
}

function operationNamed(operationId: string): Operation {
  return required(operations.find((one) => one.operationId === operationId));
}

const routeNamed = (operationId: string) => required(ROUTES.find((one) => one.operationId === operationId));

const parameterNames = ({ parameters }: Operation) => parameters.map((one) => resolved(one).name);

function contentOf(response: Part): Readonly<Record<string, Body>> {
  const { content } = resolved(response) as { content?: Record<string, Body> };
  return content ?? {};
}

/** Returns the location of the schema of `data` in an envelope; `file` for an answer without an envelope. */
function dataOf(response: Part): string | undefined {
  const json = contentOf(response)['application/json'];
  if (!json) return 'file';
  const [envelope, { properties }] = json.schema.allOf as [Part, { properties: { data: Part } }];
  expect(envelope.$ref).toBe('#/components/schemas/Success');
  return properties.data.$ref;
}

describe('operations', () => {
  it('have unique ids that begin with a verb of the vocabulary', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ROUTES.length);
    const others = ids.filter((id) => {
      const verb = OPERATION_VERBS.find((one) => id.startsWith(one));
      return verb === undefined || !/^([A-Z][A-Za-z]*)?$/.test(id.slice(verb.length));
    });
    expect(others).toEqual([]);
  });

  it('name every schema', () => {
    for (const { requestBody, responses } of operations) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) expect(schema.$ref).toBeDefined();
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) >= 400)
          expect(contentOf(response)['application/json'].schema.$ref).toMatch(/^#\/components\/schemas\//);
        else if (Number(status) < 300) expect(dataOf(response)).toMatch(/^(#\/components\/schemas\/|file$)/);
      }
    }
  });

  it('name the limit that counts them, and the introduction has the limits of each plan', () => {
    for (const category of RATE_CATEGORIES)
      expect(document.info.description).toMatch(new RegExp(`\\|${category}\\|\\d+\\|\\d+\\|\\d+\\|\\d+\\|`));
    for (const { operationId, description } of operations)
      expect([operationId, description]).toEqual([
        operationId,
        expect.stringMatching(/Rate category `\w+`|Counted per/),
      ]);
  });

  it('have no broken references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(1_000);
    for (const [, kind, name] of references)
      expect([kind, Object.keys(components[kind])]).toContainEqual(expect.arrayContaining([name]));
  });

  it('list the headers that they read', () => {
    expect(parameterNames(operationNamed('getQuote'))).toEqual(
      expect.arrayContaining(['If-None-Match', 'X-Client-Kind', 'X-Visitor-Id']),
    );
    expect(parameterNames(operationNamed('runBacktest'))).toEqual(
      expect.arrayContaining(['Prefer', 'Idempotency-Key']),
    );
    expect(parameterNames(operationNamed('downloadExport'))).toEqual(expect.arrayContaining(['Range', 'If-Range']));
    expect(parameterNames(operationNamed('requestLoginCode'))).not.toContain('Idempotency-Key');
  });
});

describe('parameters', () => {
  const all = operations.flatMap(({ parameters }) => parameters.map(resolved));

  it('have descriptions, and those of paths an example', () => {
    const silent = all.filter((one) => typeof one.description !== 'string');
    expect(silent.map(({ name }) => name)).toEqual([]);
    const without = all.filter((one) => one.in === 'path' && one.example === undefined);
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it('are components where many operations take them', () => {
    const inline = operations.flatMap(({ parameters }) => parameters.filter(({ $ref }) => $ref === undefined));
    expect(inline.filter(({ name }) => ['lang', 'page', 'job_id'].includes(String(name)))).toEqual([]);
  });

  it('tell their defaults', () => {
    const defaults = operationNamed('getKline').parameters.flatMap((one) => {
      const { name, schema } = resolved(one) as { name: string; schema: Part };
      return 'default' in schema ? [[name, schema.default]] : [];
    });
    expect(defaults).toEqual([
      ['period', 'day'],
      ['days', 250],
      ['adjust', 'none'],
    ]);
  });
});

describe('bodies of requests', () => {
  const bodies = operations.flatMap(({ operationId, requestBody }) => {
    const json = requestBody?.content['application/json'];
    return json ? [{ operationId, required: requestBody.required, schema: resolved(json.schema) }] : [];
  });

  it('do not allow further fields', () => {
    const open = bodies.filter(({ schema }) => schema.additionalProperties !== false);
    // The flat form takes the parameters of its strategy; a logout succeeds whatever is sent.
    expect(open.map(({ operationId }) => operationId)).toEqual(['logout', 'runBacktest', 'runWebBacktest']);
  });

  it('are optional if no field is required', () => {
    const optional = bodies.filter(({ required }) => !required).map(({ operationId }) => operationId);
    expect(optional).toEqual(expect.arrayContaining(['runScreener', 'publishArticle', 'retryFailedJobs', 'logout']));
    for (const { schema, required } of bodies) expect(required).toBe((schema.required ?? []).length > 0);
  });

  it('may have null in each optional field, as the service reads them', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'api', ...document });
    for (const { operationId, schema } of bodies) {
      const { properties = {}, required: needed = [] } = schema;
      const optional = Object.keys(properties).filter((name) => !needed.includes(name));
      const body = {
        ...routeNamed(operationId).bodyExample,
        ...Object.fromEntries(optional.map((name) => [name, null])),
      };
      const { $ref } = required(operationNamed(operationId).requestBody).content['application/json'].schema;
      const validate = required(ajv.getSchema(`api${$ref}`));
      expect([operationId, validate(body), validate.errors]).toEqual([operationId, true, null]);
    }
  });

  it('tell their defaults', () => {
    expect(components.schemas.RunBacktestRequest).toMatchObject({
      properties: { strategy: { default: 'chandelier' }, time_range: { default: '1Y' }, save: { default: true } },
    });
    expect(components.schemas.RunNestedBacktestRequestRange).toMatchObject({
      properties: { time_range: { default: '1Y' } },
    });
  });
});

describe('links', () => {
  const linksOf = (operationId: string, status: number) =>
    resolved(operationNamed(operationId).responses[status]).links;

  it('lead from what an answer names to the operations on it', () => {
    expect(linksOf('createWatch', 201)?.getWatch).toEqual({
      operationId: 'getWatch',
      parameters: { watch_id: '$response.body#/data/id' },
    });
    expect(linksOf('listSweeps', 200)?.getSweepResult).toEqual({
      operationId: 'getSweepResult',
      parameters: { sweep_id: '$response.body#/data/items/0/id' },
    });
    expect(linksOf('listDeliveries', 200)?.retryDelivery).toEqual({
      operationId: 'retryDelivery',
      parameters: { webhook_id: '$request.path.webhook_id', delivery_id: '$response.body#/data/items/0/id' },
    });
    expect(Object.keys(linksOf('runBacktest', 202) ?? {})).toEqual(['getBacktestJob']);
    expect(linksOf('getQuote', 200)).toBeUndefined();
  });
});

describe('failures', () => {
  it('show the key and text of each error', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'api', ...document });
    for (const { operationId, responses } of operations) {
      for (const [status, reference] of Object.entries(responses)) {
        if (Number(status) < 400) continue;
        const { schema, examples = {} } = contentOf(reference)['application/json'];
        const codes = errorsByStatus(routeNamed(operationId)).get(Number(status));
        expect([operationId, status, Object.keys(examples)]).toEqual([operationId, status, codes]);
        const validate = ajv.getSchema(`api${schema.$ref}`);
        for (const [code, example] of Object.entries(examples)) {
          const { value } = resolved(example) as { value: { message: string } };
          expect({ operationId, value }).toMatchObject({
            value: { code: Number(status), key: `error.${code}`, data: null },
          });
          expect(value.message).not.toMatch(/[{}]|undefined/);
          expect([operationId, validate?.(value), validate?.errors]).toEqual([operationId, true, null]);
        }
      }
    }
  });

  it('have the limits and states of their route', () => {
    const messageOf = (operationId: string, status: number, code: string) => {
      const { examples = {} } = contentOf(operationNamed(operationId).responses[status])['application/json'];
      return (resolved(examples[code]).value as { message: string }).message;
    };
    expect(messageOf('getBatch', 413, 'body_too_large')).toContain('235 KiB');
    expect(messageOf('createApiKey', 413, 'body_too_large')).toContain('16 KiB');
    expect(messageOf('getQuote', 422, 'validation_failed')).toContain('lnag');
    expect(messageOf('pauseQueue', 409, 'wrong_state')).toContain('running, but the current status is "paused"');
    expect(messageOf('runOptimization', 403, 'plan_capability')).toContain('(optimize)');
  });
});

const MAX_GZIP_BYTES = 98_000;

it('the interface description is small when compressed with gzip', () => {
  expect(gzipSync(JSON.stringify(withoutAnswers(document))).length).toBeLessThan(MAX_GZIP_BYTES);
});
