import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import type { FieldPath } from '../../lib/errors/domain-error.ts'
import { parseStateCodes } from '../../platform/geo/catalogue/state-codes.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import type { DispatchRule } from './dispatch.model.ts'
import { findDispatchRules, upsertDispatchRules } from './dispatch.queries.ts'

/** Replaces the rules of a store. Throws `invalid_request` for a contradictory rule. */
export async function replaceDispatchRules(
  { sql, plugins }: Context,
  store: Pick<Store, 'id' | 'countryCode'>,
  rules: readonly DispatchRule[],
): Promise<readonly DispatchRule[]> {
  const names = new Set<string>()
  for (const [at, rule] of rules.entries()) {
    const path = ['rules', at]
    if (names.has(rule.name)) throw dispatchErrors.ruleNameTaken({ field: [...path, 'name'] })
    names.add(rule.name)
    for (const name of ['weightKg', 'amount'] as const) {
      const { min = 0, max = Number.POSITIVE_INFINITY } = rule.when[name] ?? {}
      if (min > max) throw dispatchErrors.rangeEmpty({ field: [...path, 'when', name] })
    }
    const carriers = new Set<string>()
    for (const [position, { carrier, share }] of rule.carriers.entries()) {
      const place = [...path, 'carriers', position]
      if (!plugins.find('carrier', carrier)) throw dispatchErrors.carrierUnknown({ carrier }, { field: [...place, 'carrier'] })
      if (carriers.has(carrier)) throw dispatchErrors.carrierRepeated({ field: [...place, 'carrier'] })
      carriers.add(carrier)
      if (rule.choose === 'share' && share === undefined) throw dispatchErrors.shareMissing({ field: [...place, 'share'] })
    }
  }
  return transaction(sql, async (tx) => {
    const currentStates = (await findDispatchRules(tx, store.id)).flatMap(({ when }) => when.states ?? [])
    const written: DispatchRule[] = []
    for (const [at, rule] of rules.entries())
      written.push(await withStateCodes(tx, store.countryCode, rule, ['rules', at, 'when', 'states'], currentStates))
    await upsertDispatchRules(tx, store.id, written)
    return written
  })
}

/** Rule with its states as catalogue codes. `kept` lists the states of the previous rules. */
async function withStateCodes(
  tx: Tx,
  country: string,
  rule: DispatchRule,
  field: FieldPath,
  kept: readonly string[],
): Promise<DispatchRule> {
  const { states } = rule.when
  if (!states) return rule
  const codes = await parseStateCodes(tx, country, states, { fieldOf: (_, at) => [...field, at], kept })
  return { ...rule, when: { ...rule.when, states: [...new Set(codes)] } }
}
