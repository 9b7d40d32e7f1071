import { api } from './client.ts'
import { unwrap } from './errors.ts'

/** Reads the names of all carriers, by their slug. A store may give its connection another name. */
export async function readCarrierLabels(): Promise<ReadonlyMap<string, string>> {
  const { data } = await unwrap(api.GET('/v1/adapters', { params: { query: { kind: 'carrier' } } }))
  return new Map(data.map(({ key, label }) => [key, label]))
}
