import zimou from '../../../adapters/carrier/zimou/index.ts'
import { type Desk, memory, openDesk, type Rig, shipment } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { startZimou, type Zimou } from '../../simulators/zimou.ts'
import { simulatedRig } from '../../support/simulated-rig.ts'

export type ZimouRig = Rig & { readonly simulator: Zimou }

export const rig = (carrier: Carrier, simulator = startZimou({ seed: 7 })): ZimouRig =>
  simulatedRig(carrier, simulator, {
    credentials: simulator.credentials,
    badCredentials: { token: 'wrong-token-9876543210' },
    // The adapter has no opinion on the largest amount, the carrier has: a refusal inside a 201.
    refusable: { codAmount: 9_999_999 },
    parcelsOf: (reference) => simulator.packages(reference).map(({ tracking }) => tracking),
    // The carrier tells no times.
    advance: (trackingId, status) => simulator.advance(trackingId, status),
    raw: { delivered: '8 LIVRÉ', moving: '3 EXPEDIE', unknown: '999 MANGÉ PAR UNE CHÈVRE' },
  })

export const carrier = zimou as Carrier

/** A simulator of its own, and connections to it that know the places already. */
export function connected() {
  const one = rig(carrier)
  const { simulator } = one
  const usual = { ...simulator.habits }
  const notes = memory()
  const open = (settings: object = {}) => one.open({ memory: notes, settings: { ...settings } })
  return {
    rig: one,
    simulator,
    notes,
    open,
    sent: async (parcel = shipment(), desk: Desk = open()) => ({ desk, parcel, sent: await carrier.send(desk.context, parcel) }),
    reset() {
      simulator.calm()
      Object.assign(simulator.habits, usual)
    },
    /** What was asked meanwhile. */
    async callsOf(work: () => unknown) {
      const before = simulator.requests.length
      await work()
      return simulator.requests.slice(before).map(({ method, path }) => `${method} ${path.replace('/api/v3/', '')}`)
    },
    /** A connection to a carrier that gives one answer to everything. */
    async answered(body: unknown, work: (desk: Desk) => Promise<void>) {
      const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(body, { status: 201 }) })
      const origins = { [carrier.net[0]!]: `http://127.0.0.1:${server.port}` }
      await work(openDesk(carrier, origins, { credentials: one.credentials, memory: notes })).finally(() => server.stop(true))
    },
  }
}
