import type { Rig } from '../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { type Procolis, startProcolis } from '../../simulators/procolis.ts'
import { simulatedRig } from '../../support/simulated-rig.ts'

export type ProcolisRig = Rig & { readonly simulator: Procolis }

export const rig = (carrier: Carrier, simulator = startProcolis({ seed: 7 })): ProcolisRig =>
  simulatedRig(carrier, simulator, {
    credentials: simulator.credentials,
    badCredentials: { key: 'wrong-key-9876543210' },
    // The adapter has no opinion on the largest amount, the carrier has: a refusal inside a 200.
    refusable: { codAmount: 9_999_999 },
    reads: '^POST /api_v1/lire',
    parcelsOf: (reference) => simulator.parcels(reference).map(({ tracking }) => tracking),
    advance: simulator.advance,
    raw: { delivered: 'Livrée', moving: 'Dispatcher', unknown: 'Mangé par une chèvre' },
  })
