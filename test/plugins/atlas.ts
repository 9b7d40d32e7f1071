import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CarrierContext } from '../../plugins/carrier/contract.ts'

/** A small adapter from elsewhere. `fees` answers `price`; `extra` stands before the definition, `members` in it. */
export interface Atlas {
  readonly slug?: string
  readonly price?: number
  readonly hosts?: readonly string[]
  readonly extra?: string
  readonly members?: string
}

export const atlas = ({ slug = 'atlas', price = 1, hosts = ['api.atlas.example'], extra = '', members = '' }: Atlas = {}) => `
import { carrier, CarrierError } from 'serai/carrier'
${extra}
export default carrier({
  slug: '${slug}', label: 'Atlas', countries: ['DZ'], currency: 'DZD', net: ${JSON.stringify(hosts)},
  credentials: { token: { label: 'Token', secret: true } }, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 5, rateWindows: [], deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: { Done: 'delivered' },
  testConnection: () => ({}),
  send: () => { throw new CarrierError('refused', 'not asked here') },
  fees: () => [{ stateCode: '16', home: ${price}, pickup: null }],
  ${members}
})`

export async function put(folder: string, files: Readonly<Record<string, string>>) {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

/** A connection whose other side gives back what it is asked. */
export function contextOf(connectionId: string, signal = AbortSignal.timeout(10_000), logged: string[] = []): CarrierContext {
  return {
    storeId: 'sto_test',
    connectionId,
    credentials: { token: 'secret' } as never,
    settings: {} as never,
    fetch: async (url, { body } = {}) =>
      new Response(typeof body === 'string' ? body : ((body as Uint8Array<ArrayBuffer>) ?? url), { status: 207 }),
    storage: {
      get: async () => undefined,
      set: async () => {},
      add: async () => true,
      replace: async () => true,
      delete: async () => {},
      list: async () => [],
    },
    log: (message) => void logged.push(message),
    now: () => 1_700_000_000_000,
    signal,
  }
}
