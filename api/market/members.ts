/** The instruments that a screen may find: all of some types, or those of a list of symbols. */
import type { ScreenMembers } from '../../engine/screener/screen.ts';
import { symbolField, z } from '../http/input/fields.ts';
import { refuse } from '../http/input/request-failure.ts';
import { assertAssetTypes, type Directory } from './directory.ts';
import { findSymbols } from './symbol-list.ts';

const DEFAULT_ASSET_TYPES = ['stock', 'etf'] as const;
const assetType = z.string().regex(/^[a-z_]{1,32}$/);

/** The fields that name them; `max`: symbols in the list. */
export const memberFields = (max: number) => ({
  asset_type: z
    .union([assetType, z.array(assetType).min(1).max(20)])
    .optional()
    .meta({ description: 'Default: stock and etf. An asset type that no instrument has is refused' }),
  symbols: z
    .array(symbolField)
    .min(1)
    .max(max)
    .optional()
    .meta({ description: 'Instead of `asset_type`: these instruments only, which rules then compare with each other' }),
});

interface MemberBody {
  readonly asset_type?: string | readonly string[];
  readonly symbols?: readonly string[];
}

/** The instruments that a screen may find. Throws for unknown ones, and where both fields are given. */
export function readMembers(
  { symbols, asset_type }: MemberBody,
  directory: Directory,
  at: readonly string[],
): ScreenMembers {
  if (symbols === undefined) {
    const assetTypes = asset_type === undefined ? DEFAULT_ASSET_TYPES : [...new Set([asset_type].flat())];
    assertAssetTypes(directory, assetTypes);
    return { assetTypes, ids: null };
  }
  if (asset_type !== undefined) refuse(at, { code: 'not_together', details: { name: 'asset_type' } });
  const { items } = findSymbols(directory, symbols, false, at);
  const assetTypes = [...new Set(items.map(({ instrument }) => instrument.assetType))].sort();
  return { assetTypes, ids: items.map(({ id }) => id) };
}
