import noest from '../../../adapters/carrier/noest/index.ts'
import type { Rig } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { STORAGE_HOST } from '../../simulators/noest/storage.ts'
import { type Noest, type NoestOptions, startNoest } from '../../simulators/noest.ts'
import { simulatedRig } from '../../support/simulated-rig.ts'

export { to } from '../../support/simulated-rig.ts'

export type NoestRig = Rig & { readonly simulator: Noest }

/** Drafts unless said otherwise: the carrier edits and deletes nothing else. `connected` is the other way, and the suite runs with it too. */
export const rig = (carrier: Carrier, simulator = startNoest(), settings: Rig['settings'] = { shipAtOnce: false }): NoestRig =>
  simulatedRig(carrier, simulator, {
    credentials: simulator.credentials,
    settings,
    badCredentials: { apiToken: 'wrong-token-9876543210' },
    origins: { [carrier.net[0]!]: simulator.url, [STORAGE_HOST]: simulator.url },
    // The adapter knows no largest amount, the carrier has one.
    refusable: { codAmount: 900_000 },
    reads: '/get/trackings/info$',
    parcelsOf: (reference) => simulator.orders(reference).map(({ tracking }) => tracking),
    advance: simulator.advance,
    raw: { delivered: 'livre', moving: 'validation_collect_colis', unknown: 'mange_par_une_chevre' },
  })

export const carrier = noest as unknown as Carrier

const open: NoestRig[] = []
export const stopAll = () => Promise.all(open.map((one) => one.close?.()))

/** As a person connects it: parcels are validated at once. */
export function connected(options: NoestOptions = {}, settings: Rig['settings'] = {}): NoestRig {
  const one = rig(carrier, startNoest(options), settings)
  open.push(one)
  return one
}

/** The bodies that were posted to a path, oldest first. */
export const posted = ({ requests }: Noest, path: string) =>
  requests.filter((call) => call.path.endsWith(path)).map(({ body }) => JSON.parse(body) as Record<string, unknown>)
export const last = (simulator: Noest, path: string) => posted(simulator, path).at(-1)!
