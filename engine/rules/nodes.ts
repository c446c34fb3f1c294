/** Nodes of programs: a program with what follows from its parts. */
import { dimensionOf, mixesDimensions, reachOfCondition, reachOfValue } from './dimensions.ts';
import type { Condition, ConditionProgram, Node, Value, ValueProgram } from './program.ts';

export function valueNode(program: ValueProgram): Value {
  const dimension = dimensionOf(program);
  const mixes = dimension === null;
  const parts = partsOfValue(program);
  return {
    program,
    dimension,
    mixes,
    reach: mixes ? reachOfValue(program, parts) : 0,
    key: valueKey(program),
    isOfPosition: program.kind === 'position' || parts.some(({ isOfPosition }) => isOfPosition),
    across: acrossOf(parts) + Number(program.kind === 'across'),
    acrossReach: acrossReach(parts, program.kind === 'window' ? program.fn.barsBefore(program.n) : 0),
    readsOthers: program.kind === 'other' || program.kind === 'pair' || parts.some(({ readsOthers }) => readsOthers),
  };
}

// Without closures and spreads: each run compiles its rules again.
function acrossOf(parts: readonly Node[]): number {
  let deepest = 0;
  for (const { across } of parts) if (across > deepest) deepest = across;
  return deepest;
}

/** `barsBefore`: how many bars back the parts are read. */
function acrossReach(parts: readonly Node[], barsBefore: number): number {
  if (acrossOf(parts) === 0) return 0;
  let farthest = 0;
  for (const part of parts) if (part.acrossReach > farthest) farthest = part.acrossReach;
  return farthest + barsBefore;
}

function barsBefore(program: ConditionProgram): number {
  if (program.kind === 'before') return 1;
  return program.kind === 'forBars' || program.kind === 'withinBars' ? program.n - 1 : 0;
}

export function partsOfValue(program: ValueProgram): readonly Value[] {
  switch (program.kind) {
    case 'constant':
    case 'bar':
    case 'position':
    case 'indicator':
    case 'pair':
      return [];
    case 'pointwise':
      return program.parts;
    case 'window':
      return [program.a];
    case 'across':
      return program.part === null ? [] : [program.part];
    case 'other':
      return [program.part];
  }
}

/** Programs of one key are equal. */
export function valueKey(program: ValueProgram): string {
  switch (program.kind) {
    case 'constant':
      return String(program.value);
    case 'bar':
    case 'position':
      return program.fn.name;
    case 'indicator':
      return `${program.fn.name}(${program.args.join(',')})`;
    case 'pointwise':
      return `${program.fn.name}(${program.parts.map(({ key }) => key).join(',')})`;
    case 'window':
      return `${program.fn.name}(${program.a.key};${program.n})`;
    case 'across': {
      const { fn, part, constant, group } = program;
      return `${fn.name}(${[part?.key ?? '', constant, group ?? ''].join(';')})`;
    }
    case 'pair':
      return `${program.fn.name}('${program.ticker}';${program.n})`;
    case 'other':
      return `of('${program.ticker}',${program.part.key})`;
  }
}

export function conditionNode(program: ConditionProgram): Condition {
  const mixes = mixesDimensions(program);
  const parts = partsOfCondition(program);
  return {
    program,
    mixes,
    reach: mixes ? reachOfCondition(program) : 0,
    key: conditionKey(program),
    isOfPosition: parts.some(({ isOfPosition }) => isOfPosition),
    across: acrossOf(parts),
    acrossReach: acrossReach(parts, barsBefore(program)),
    readsOthers: program.kind === 'other' || parts.some(({ readsOthers }) => readsOthers),
  };
}

export function partsOfCondition(program: ConditionProgram): readonly (Value | Condition)[] {
  switch (program.kind) {
    case 'compare':
      return [program.a, program.b];
    case 'all':
    case 'any':
      return program.parts;
    case 'before':
    case 'forBars':
    case 'withinBars':
    case 'among':
    case 'other':
      return [program.part];
  }
}

function conditionKey(program: ConditionProgram): string {
  switch (program.kind) {
    case 'compare': {
      const { name, a, b, price } = program;
      return `${name}(${a.key},${b.key}${price === null ? '' : `,${price.key}`})`;
    }
    case 'all':
    case 'any':
      return `${program.kind}(${program.parts.map(({ key }) => key).join(',')})`;
    case 'before':
      return `before(${program.part.key})`;
    case 'forBars':
    case 'withinBars':
      return `${program.kind}(${program.part.key};${program.n})`;
    case 'among':
      return `among(${program.part.key};${program.is})`;
    case 'other':
      return `ofCondition('${program.ticker}',${program.part.key})`;
  }
}
