/** The tables of strategies that accounts write. */
import type { RuleTexts } from '../../engine/rules/rules.ts';
import { bigint, boolean, integer, json, nullable, text, timestamptz } from '../columns.ts';

/** The default of a parameter, and the range that its owner wants it in. */
export interface SavedParameter {
  readonly default: number;
  readonly min?: number;
  readonly max?: number;
}
export type SavedParameters = Readonly<Record<string, SavedParameter>>;

export const RESEARCH_TABLES = {
  own_strategies: {
    id: bigint,
    user_id: bigint,
    name: text,
    /** The newest. */
    version: integer,
    /** Never changes once it was drawn. */
    slug: nullable(text),
    is_shared: boolean,
    created_at: timestamptz,
    updated_at: timestamptz,
  },
  own_strategy_versions: {
    strategy_id: bigint,
    version: integer,
    description: text,
    rules: json<RuleTexts>(),
    parameters: json<SavedParameters>(),
    created_at: timestamptz,
  },
};
