import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { algeria } from '../../../core/platform/geo/countries/dz/catalogue.ts'
import { resolverOf } from '../../../core/platform/geo/resolve/resolve.ts'
import { compare } from '../figures.ts'
import { perSecond, type Row } from '../table.ts'
import type { World } from '../world.ts'

const ROWS = 1_000
const FILE = join(import.meta.dir, '../../data/orders-dz.csv')

/** The ceiling of the route is the work itself, without a server around it. */
export async function resolution({ server, shop }: World): Promise<Row[]> {
  const items = await addresses()
  const resolver = resolverOf(algeria)
  const inProcess = async () => rate(async () => items.map((item) => resolver.resolve(item)))
  const body = JSON.stringify({ items })
  const headers = { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' }
  const throughRoute = async () =>
    rate(async () => {
      const answer = await fetch(`${server.url}/v1/geo/resolve/batch`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(`The batch was answered ${answer.status}: ${await answer.text()}`)
      await answer.arrayBuffer()
    })
  for (const warmUp of [inProcess, throughRoute, inProcess, throughRoute]) await warmUp()
  const { ours, ceiling } = await compare(throughRoute, inProcess)
  return [
    {
      what: `POST /v1/geo/resolve/batch, ${ROWS.toLocaleString('en')} rows`,
      ours: perSecond(ours, 'rows'),
      ceiling: `${perSecond(ceiling, 'rows')} in process`,
      ratio: ours / ceiling,
    },
  ]
}

async function rate(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return ROWS / ((performance.now() - began) / 1000)
}

async function addresses() {
  const rows = parse(await readFile(FILE), { columns: true }) as Record<'wilaya' | 'commune' | 'address', string>[]
  return Array.from({ length: ROWS }, (_, at) => {
    const { wilaya, commune, address } = rows[at % rows.length]!
    return { country: 'DZ', state: wilaya, city: commune, address }
  })
}
