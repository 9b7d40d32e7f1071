import type { Context } from '../../context.ts'
import { invalid } from '../../http/errors.ts'
import type { Rule } from './dispatch.model.ts'
import { saveRules } from './dispatch.queries.ts'

/** Replaces a store's rules. Throws `invalid_request` where one says what cannot be meant. */
export async function replaceRules({ sql, plugins }: Context, storeId: string, rules: readonly Rule[]): Promise<readonly Rule[]> {
  const names = new Set<string>()
  for (const [at, rule] of rules.entries()) {
    const path = `/body/rules/${at}`
    if (names.has(rule.name)) throw invalid(`${path}/name`, 'Another rule has this name; shares are counted by it.')
    names.add(rule.name)
    for (const name of ['weightKg', 'amount'] as const) {
      const { min = 0, max = Number.POSITIVE_INFINITY } = rule.when[name] ?? {}
      if (min > max) throw invalid(`${path}/when/${name}`, 'min is above max, so it would never hold.')
    }
    const carriers = new Set<string>()
    for (const [position, { carrier, share }] of rule.carriers.entries()) {
      const place = `${path}/carriers/${position}`
      if (!plugins.find('carrier', carrier)) throw invalid(`${place}/carrier`, `There is no carrier "${carrier}". See GET /v1/adapters.`)
      if (carriers.has(carrier)) throw invalid(`${place}/carrier`, 'The rule names it twice.')
      carriers.add(carrier)
      if (rule.choose === 'share' && share === undefined) throw invalid(`${place}/share`, 'Required to choose by share.')
    }
  }
  await saveRules(sql, storeId, rules)
  return rules
}
