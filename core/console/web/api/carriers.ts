import { api } from './client.ts'
import { unwrap } from './errors.ts'

/** Reads the names of all carriers, by their slug. A store may give its connection another name. */
export const readCarrierLabels = (): Promise<ReadonlyMap<string, string>> => readAdapterLabels('carrier')

/** Reads the names of all adapters of a kind, by their slug. */
export async function readAdapterLabels(kind: 'carrier' | 'payment'): Promise<ReadonlyMap<string, string>> {
  const { data } = await unwrap(api.GET('/v1/adapters', { params: { query: { kind } } }))
  return new Map(data.map(({ key, label }) => [key, label]))
}
