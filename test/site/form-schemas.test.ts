/** The fields of forms: every one is a field of a call, with the bounds, choices, and defaults that the call has. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { formSchemas } from '../../api/site/form-schemas.ts';

const ELEMENTS = new URL('../../api/site/browser/elements/', import.meta.url);

describe('the fields of forms', () => {
  const schemas = formSchemas();

  it('have what the schemas of the calls say', () => {
    expect(schemas['allocation.max_positions']).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 10 });
    expect(schemas['cost.commission_rate']).toEqual({ type: 'number', minimum: 0, maximum: 0.5, default: 0 });
    expect(schemas['walk_forward.train_bars']).toEqual({ type: 'integer', minimum: 1, maximum: 10_000 });
    expect(schemas['rotation.weights.covariance'].enum).toEqual(['sample', 'ledoit_wolf']);
    expect(schemas.survivors).toEqual({ type: 'boolean' });
  });

  it('take the first of several forms of a value', () => {
    expect(schemas['rotation.hold.top']).toEqual({ type: 'integer', minimum: 1, maximum: 500 });
    expect(schemas['rotation.every']).toEqual({ type: 'string', enum: ['week', 'month', 'quarter'] });
    expect(schemas['rotation.every.sessions']).toEqual({ type: 'integer', minimum: 1, maximum: 252 });
  });

  it('are all known', () => {
    const sources = readdirSync(ELEMENTS).map((name) => readFileSync(new URL(name, ELEMENTS), 'utf8'));
    const named = sources.flatMap((source) =>
      [...source.matchAll(/\b(?:fields\.field|schemaOf)\('([\w.]+)'/g)].map(([, path]) => path),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !(path in schemas))).toEqual([]);
  });
});
