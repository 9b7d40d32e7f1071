import type { Context } from '../../context.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { type FieldPath, invalidField } from '../../lib/errors/domain-error.ts'
import { parseStateCodes } from '../../platform/geo/catalogue/state-codes.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
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
    if (names.has(rule.name)) throw invalidField([...path, 'name'], 'Another rule has this name; shares are counted by it.')
    names.add(rule.name)
    for (const name of ['weightKg', 'amount'] as const) {
      const { min = 0, max = Number.POSITIVE_INFINITY } = rule.when[name] ?? {}
      if (min > max) throw invalidField([...path, 'when', name], 'min is above max, so it would never match.')
    }
    const carriers = new Set<string>()
    for (const [position, { carrier, share }] of rule.carriers.entries()) {
      const place = [...path, 'carriers', position]
      if (!plugins.find('carrier', carrier))
        throw invalidField([...place, 'carrier'], `There is no carrier "${carrier}". See GET /v1/adapters.`)
      if (carriers.has(carrier)) throw invalidField([...place, 'carrier'], 'The rule lists this carrier twice.')
      carriers.add(carrier)
      if (rule.choose === 'share' && share === undefined) throw invalidField([...place, 'share'], 'Required to choose by share.')
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
