import type { Rig } from '../../../plugins/carrier/acceptance.ts'
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
