import { compare, ROUNDS } from '../figures.ts'
import type { Load, Loaded } from '../load/generator.ts'
import { perSecond, type Row } from '../table.ts'
import type { World } from '../world.ts'

const CONNECTIONS = 32
const TARGET = 0.95
/** Nothing but the check differs: the same request, which anybody may ask. */
const ASKED = [
  ['a key checked, beside none: a read of the database', '/v1/currencies?limit=1'],
  ['a key checked, beside none: a read of memory', '/v1/cities/search?q=zzzzzz&limit=1'],
] as const

/** What it costs to know who asks. */
export async function credentials({ server, generator, shop }: World, seconds: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, path] of ASKED) {
    const ask = async (headers: Load['headers'], forSeconds: number) => {
      const load: Load = { url: server.url, headers, requests: [{ method: 'GET', path }], connections: CONNECTIONS, seconds: forSeconds }
      return (await generator.ask<Loaded>(load)).perSecond
    }
    const withKey = { authorization: `Bearer ${shop.key}` }
    for (const headers of [{}, withKey]) await ask(headers, 1)
    const { ours, ceiling } = await compare(
      () => ask(withKey, seconds / ROUNDS),
      () => ask({}, seconds / ROUNDS),
    )
    rows.push({
      what,
      ours: perSecond(ours),
      ceiling: perSecond(ceiling),
      ratio: ours / ceiling,
      target: `≥ ${TARGET * 100} %`,
      reached: ours / ceiling >= TARGET,
    })
  }
  return rows
}
