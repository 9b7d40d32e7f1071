import { type Compared, compare, ROUNDS } from '../figures.ts'
import type { World } from '../world.ts'
import type { Load, Loaded } from './generator.ts'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 1

export type Requests = Load['requests']

/** Requests per second of the server and of its ceiling, each measured for so many seconds in all. */
export async function rateBesideCeiling(world: World, requests: Requests, seconds: number): Promise<Compared> {
  const { generator, server, ceilingUrl, shop } = world
  const ask = (url: string, forSeconds: number) => {
    const headers = { authorization: `Bearer ${shop.key}` }
    const load: Load = { url, headers, requests, connections: CONNECTIONS, seconds: forSeconds }
    return generator.ask<Loaded>(load)
  }
  for (const url of [ceilingUrl, server.url]) await ask(url, WARM_UP_SECONDS)
  const rate = async (url: string) => (await ask(url, seconds / ROUNDS)).perSecond
  return compare(
    () => rate(server.url),
    () => rate(ceilingUrl),
  )
}
