import type { Rig, SeenParcel } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { dinars, international, simulatedRig, stateCodeOf, textOf } from '../../../support/simulated-rig.ts'
import { meanings } from '../meanings.ts'
import { inPreparation, type Parcel, type Procolis, startProcolis, tarification } from './simulator.ts'

const seenIn = ({ tracking, fields, situation }: Parcel): SeenParcel => ({
  trackingId: tracking,
  name: String(fields.Client),
  phone: international(fields.MobileA),
  phoneAlt: textOf(fields.MobileB) && international(fields.MobileB),
  stateCode: stateCodeOf(fields.IDWilaya),
  cityName: textOf(fields.Commune),
  address: textOf(fields.Adresse),
  deliveryType: Number(fields.TypeLivraison) === 1 ? 'pickup' : 'home',
  pickupId: null,
  cod: dinars(fields.Total),
  declaredValue: null,
  takesBack: fields.TypeColis === 1 ? (/^Échange, à reprendre : (.*)$/m.exec(String(fields.Note))?.[1] ?? '') : null,
  weightGrams: null,
  dimensionsCm: null,
  contents: textOf(fields.TProduit ?? fields.Produit),
  notes: textOf(fields.Note),
  deliveryFee: null,
  keptFee: null,
  state: situation === inPreparation ? 'draft' : 'confirmed',
})

/** In dinars; nothing is no price. */
function pricesTo({ stateCode }: { stateCode: string }) {
  const row = tarification.find(({ IDWilaya }) => Number(IDWilaya) === Number(stateCode))
  return { home: Number(row?.Domicile) || null, pickup: Number(row?.Stopdesk) || null }
}

export type ProcolisRig = Rig & { readonly simulator: Procolis }

export const rig = (carrier: Carrier, simulator = startProcolis({ seed: 7 })): ProcolisRig =>
  simulatedRig(carrier, simulator, {
    credentials: simulator.credentials,
    badCredentials: { key: 'wrong-key-9876543210' },
    // The adapter has no opinion on the largest amount, the carrier has: a refusal inside a 200.
    refusable: { codAmount: 9_999_999 },
    reads: '^POST /api_v1/lire',
    // Nothing of it is published; others keep to this window. One number that is missing may cost calls for its neighbours.
    limits: { windows: [{ calls: 45, seconds: 60 }], sendMany: 20, track: 20 },
    steps: { create: '^POST /api_v1/add_colis' },
    modes: { shipping: { shipAtOnce: true }, draft: { shipAtOnce: false } },
    lacks: {
      pickupId: 'it chooses the desk itself',
      declaredValue: 'a parcel has no value but its amount',
      history: 'a parcel shows its last situation alone',
      weightGrams: 'a parcel has no weight',
      dimensionsCm: 'a parcel has no size',
      deliveryFee: 'a parcel shows no fee',
    },
    prices: pricesTo,
    meanings: meanings.procolis,
    seen: (reference) => simulator.parcels(reference).map(seenIn),
    advance: simulator.advance,
    raw: {
      delivered: 'Livrée',
      moving: 'Dispatcher',
      returning: 'Retour Navette',
      returned: 'Retour Stock',
      unknown: 'Mangé par une chèvre',
    },
  })
