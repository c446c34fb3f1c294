/** Problems of a request's fields, independent of language: from the validator's issues, and from our own checks. */
import { closest } from 'fastest-levenshtein';
import type { z } from 'zod';
import type { ParameterProblem } from '../../../engine/strategies/parameters.ts';
import type { ErrorDetails } from '../../../engine/util/errors.ts';
import { required } from '../../../engine/util/values.ts';
import { fill, type Locale } from '../language/locale.ts';
import { refusesControlCharacters } from './control-characters.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';

export type ProblemCode = keyof typeof PROBLEM_TEXTS;

export interface Problem {
  readonly code: ProblemCode;
  /** Values for the text. */
  readonly details?: ErrorDetails;
}

/** The text of a problem. It follows the name of the field. */
export function problemText({ code, details = {} }: Problem, locale: Locale): string {
  return fill(PROBLEM_TEXTS[code][locale], details);
}

const MAX_COMPARED_CHARS = 64;

/** The known name that is spelled most similarly. */
export function nearestName(name: string, known: readonly string[]): string {
  return closest(name.slice(0, MAX_COMPARED_CHARS), [...known]);
}

/** The problem of an unknown name, with the nearest known one. */
export function unknownName(name: string, known: readonly string[]): Problem {
  if (known.length === 0) return { code: 'nothing_expected' };
  return { code: 'unknown_name', details: { nearest: nearestName(name, known) } };
}

/** The problem of an unknown field of an object: where it belongs, if an object in it has that name. */
export function unknownField(name: string, shape: Shape, alsoKnown: readonly string[]): Problem {
  const inside = Object.keys(shape).find((key) => Object.hasOwn(shapeAt(shape[key], []), name));
  return unknownName(name, inside === undefined ? [...Object.keys(shape), ...alsoKnown] : [`${inside}.${name}`]);
}

/** The problem of a strategy's parameter; `known` are the allowed names. */
export function parameterProblem(name: string, problem: ParameterProblem, known: readonly string[]): Problem {
  return problem.code === 'unknown_name' ? unknownName(name, known) : problem;
}

type Path = readonly (string | number)[];

export interface LocatedProblem {
  readonly path: Path;
  readonly type: string;
  readonly problem: Problem;
}

/** The problems of a validator's issue: one per unknown name, and for a union those of the branch that matches best. */
export function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType, alsoKnown: readonly string[]): LocatedProblem[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    const shape = shapeAt(schema, path);
    return issue.keys.slice(0, MAX_PROBLEMS).map((key) => ({
      path: [...path, key],
      type: issue.code,
      problem: unknownField(key, shape, alsoKnown),
    }));
  }
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((branch) => !branch.some((inner) => inner.path.length === 0));
    if (meant) {
      return meant.flatMap((inner) =>
        problemsOf({ ...inner, path: [...issue.path, ...inner.path] }, schema, alsoKnown),
      );
    }
  }
  return [{ path, type: issue.code ?? 'custom', problem: problemOf(issue) }];
}

export const MAX_PROBLEMS = 20;

function problemOf(issue: z.core.$ZodIssue): Problem {
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(issue);
    case 'too_small':
    case 'too_big':
      return sizeProblem(issue);
    case 'invalid_format':
      return formatProblem(issue);
    case 'invalid_value':
      return { code: 'not_one_of', details: { allowed: issue.values.map(String).join(', ') } };
    case 'not_multiple_of':
      return { code: 'not_multiple_of', details: { divisor: issue.divisor } };
    case 'invalid_union':
      return { code: 'fits_no_form' };
    case 'invalid_key':
      return { code: 'invalid_name' };
    case 'custom':
      return isProblem(issue.params?.problem) ? issue.params.problem : { code: 'invalid' };
    default:
      return { code: 'invalid' };
  }
}

function isProblem(value: unknown): value is Problem {
  return (
    typeof value === 'object' && value !== null && 'code' in value && Object.hasOwn(PROBLEM_TEXTS, String(value.code))
  );
}

const EXPECTED: Readonly<Record<string, ProblemCode>> = {
  string: 'expected_string',
  number: 'expected_number',
  int: 'expected_integer',
  boolean: 'expected_boolean',
  array: 'expected_array',
  tuple: 'expected_array',
  object: 'expected_object',
  record: 'expected_object',
};

function typeProblem(issue: z.core.$ZodIssueInvalidType): Problem {
  if ('input' in issue && issue.input === undefined) return { code: 'required' };
  return { code: EXPECTED[issue.expected] ?? 'wrong_type' };
}

function sizeProblem(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): Problem {
  const { origin } = issue;
  const kind = origin === 'string' ? 'text' : origin === 'array' || origin === 'object' ? 'list' : 'number';
  if (issue.code === 'too_small') {
    const details = { min: Number(issue.minimum) };
    if (kind === 'number') return { code: issue.inclusive === false ? 'not_above' : 'below_minimum', details };
    if (details.min === 1) return { code: 'empty' };
    return { code: kind === 'text' ? 'text_too_short' : 'list_too_short', details };
  }
  const details = { max: Number(issue.maximum) };
  if (kind === 'number') return { code: issue.inclusive === false ? 'not_below' : 'above_maximum', details };
  return { code: kind === 'text' ? 'text_too_long' : 'list_too_long', details };
}

const FORMATS: Readonly<Record<string, ProblemCode>> = {
  email: 'expected_email',
  url: 'expected_url',
  uuid: 'expected_uuid',
};

function formatProblem(issue: z.core.$ZodIssueInvalidStringFormat): Problem {
  const { format } = issue;
  if (FORMATS[format]) return { code: FORMATS[format] };
  if ('prefix' in issue) return { code: 'expected_prefix', details: { prefix: String(issue.prefix) } };
  const pattern = 'pattern' in issue ? String(issue.pattern) : '';
  if (refusesControlCharacters(pattern)) return { code: 'control_characters' };
  return pattern === '' ? { code: 'wrong_format' } : { code: 'wrong_pattern', details: { pattern } };
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** The fields of the object at a path of a schema. */
function shapeAt(schema: z.ZodType, path: Path): Shape {
  let here: z.ZodType | undefined = unwrapped(schema);
  for (const step of path) {
    const { type, shape, element, valueType, items } = definitionOf(here);
    if (type === 'object') here = shape?.[step];
    else if (type === 'array') here = element;
    else if (type === 'record') here = valueType;
    else if (type === 'tuple') here = items?.[Number(step)];
    else return {};
    if (!here) return {};
    here = unwrapped(here);
  }
  return definitionOf(here).shape ?? {};
}

interface Definition {
  readonly type: string;
  readonly shape?: Shape;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly out?: z.ZodType;
}

export function definitionOf(schema: z.ZodType): Definition {
  return schema.def;
}

/** The schema inside wrappers for optional, nullable, defaulted, and transformed values. */
export function unwrapped(schema: z.ZodType): z.ZodType {
  let here = schema;
  for (;;) {
    const { type, innerType, in: input, out } = definitionOf(here);
    if (['optional', 'default', 'prefault', 'nullable', 'catch', 'readonly'].includes(type)) here = required(innerType);
    else if (type !== 'pipe') return here;
    // A preprocessed value is described by the schema of the result.
    else here = required(definitionOf(required(input)).type === 'transform' ? out : input);
  }
}
