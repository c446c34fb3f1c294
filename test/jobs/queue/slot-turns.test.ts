/** Turns of accounts at the slots of a lane. */
import { expect, it } from '@jest/globals';
import { SlotTurns } from '../../../jobs/queue/round-robin.ts';
import { type Gate, isShut, newGate } from '../../../jobs/queue/thread-control.ts';

interface NamedJob {
  readonly name: string;
  readonly account: string;
  readonly gate: Gate;
}

/** A job named after its account and its number there. */
const jobOf = (name: string): NamedJob => ({ name, account: name[0], gate: newGate() });

/** The jobs that go on in each part, all of which run as long as they may. */
function partsOf(jobs: readonly NamedJob[], slots: number, count: number): string[] {
  const turns = new SlotTurns<NamedJob>();
  return Array.from({ length: count }, (_, part) => {
    turns.share(jobs, slots);
    const going = jobs.filter(({ gate }) => !isShut(gate));
    turns.endParts(going, part + 1);
    return going.map(({ name }) => name).join(' ');
  });
}

it('go round by account, whatever number of jobs an account has', () => {
  const jobs = ['a1', 'a2', 'b1', 'c1'].map(jobOf);
  expect(partsOf(jobs, 1, 7)).toEqual(['a1', 'b1', 'c1', 'a2', 'b1', 'c1', 'a1']);
  expect(partsOf(jobs, 2, 4)).toEqual(['a1 b1', 'a2 c1', 'a1 b1', 'a2 c1']);
});

it('are all taken while there are jobs', () => {
  expect(partsOf(['a1', 'a2'].map(jobOf), 2, 2)).toEqual(['a1 a2', 'a1 a2']);
  expect(partsOf(['a1', 'a2', 'a3'].map(jobOf), 2, 3)).toEqual(['a1 a2', 'a1 a3', 'a1 a2']);
});

it('begin with the account that is new, before the part of another is over', () => {
  const turns = new SlotTurns<NamedJob>();
  const [long, other, newcomer] = ['a1', 'b1', 'c1'].map(jobOf);
  turns.share([long, other], 1);
  turns.endParts([long], 1);
  turns.share([long, other], 1);
  expect([isShut(long.gate), isShut(other.gate)]).toEqual([true, false]);
  turns.endParts([other], 2);
  turns.share([long, other, newcomer], 1);
  expect([long, other, newcomer].map(({ gate }) => isShut(gate))).toEqual([true, true, false]);
  // An account with one job after another does not keep the others from going on.
  turns.endParts([newcomer], 3);
  const next = jobOf('c2');
  turns.share([long, other, next], 1);
  expect([long, other, next].map(({ gate }) => isShut(gate))).toEqual([false, true, true]);
});
