import { createHmac } from 'node:crypto'
import type { CallbackEvent, Rig, SeenParcel } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier } from '../../../../plugins/carrier/contract.ts'
import { dinars, inbound, international, simulatedRig, stateCodeOf, textOf } from '../../../support/simulated-rig.ts'
import { meanings } from '../meanings.ts'
import { feeOf, isDraft, localTime } from './simulator/parcels.ts'
import { communes, fees, wilayas } from './simulator/places.ts'
import { type Parcel, startYalidine, type Yalidine } from './simulator.ts'

export const { url } = inbound('yalidine', { headers: {}, body: new Uint8Array() })

export type YalidineRig = Rig & { readonly simulator: Yalidine }

const told = (event: CallbackEvent) => {
  if (!event) return { data: { status: 5 } }
  const { trackingId, carrierStatus, at, eventId } = event
  return { data: { tracking: trackingId, status: carrierStatus, reason: '' }, occurredAt: localTime(Date.parse(at)), eventId }
}

function seenIn(parcel: Parcel): SeenParcel {
  const { fields } = parcel
  const [phone, phoneAlt] = String(fields.contact_phone).split(',')
  const to = wilayas.find(({ name }) => name === fields.to_wilaya_name)
  return {
    trackingId: parcel.tracking,
    name: `${fields.firstname} ${fields.familyname}`,
    phone: international(phone),
    phoneAlt: phoneAlt === undefined ? null : international(phoneAlt),
    stateCode: stateCodeOf(to?.id),
    cityName: textOf(fields.to_commune_name),
    address: textOf(fields.address),
    deliveryType: fields.is_stopdesk === true ? 'pickup' : 'home',
    pickupId: textOf(fields.stopdesk_id),
    cod: dinars(Number(fields.price) + (fields.freeshipping === true ? 0 : feeOf(parcel))),
    declaredValue: dinars(fields.declared_value),
    takesBack: fields.has_exchange === true ? textOf(fields.product_to_collect) : null,
    // Whole kilograms.
    weightGrams: Number(fields.weight) * 1000,
    dimensionsCm: [Number(fields.length), Number(fields.width), Number(fields.height)],
    contents: textOf(fields.product_list),
    notes: null,
    deliveryFee: dinars(feeOf(parcel)),
    // We pay the delivery, as the rig is set.
    keptFee: dinars(feeOf(parcel)),
    // What lies in preparation is fetched as it is: nothing has to be confirmed.
    state: isDraft(parcel) || parcel.history.length > 1 ? 'confirmed' : 'draft',
  }
}

/** From Alger, as the rig sends. */
function pricesTo({ stateCode, cityName }: { stateCode: string; cityName: string }) {
  const commune = communes.find(({ name, wilaya_id }) => wilaya_id === Number(stateCode) && name === cityName)
  const prices = fees(16, Number(stateCode))?.per_commune[String(commune?.id)]
  return { home: prices?.express_home ?? null, pickup: prices?.express_desk ?? null, returnFee: 200 }
}

export function rig(carrier: Carrier, simulator = startYalidine({ seed: 7 })): YalidineRig {
  const { credentials } = simulator
  return {
    ...simulatedRig(carrier, simulator, {
      credentials,
      settings: { fromStateCode: '16' },
      badCredentials: { apiToken: 'wrong-token-9876543210' },
      // The adapter has no opinion on sizes, the carrier has: a refusal inside a 200.
      refusable: { dimensions: { lengthCm: 5_000, widthCm: 10, heightCm: 10 } },
      limits: {
        windows: [
          { calls: 5, seconds: 1 },
          { calls: 50, seconds: 60 },
          { calls: 1_000, seconds: 3_600 },
          { calls: 10_000, seconds: 86_400 },
        ],
        // Not published; others keep to it.
        sendMany: 100,
        track: 100,
      },
      steps: { create: '^POST /v1/parcels' },
      lacks: { notes: 'a parcel has no place for notes' },
      weightStepGrams: 1000,
      prices: pricesTo,
      // Of cash and insurance in percent, of a kilogram beyond five, and of a return.
      charges: [1, 1.5, 50, 200],
      meanings: meanings.yalidine,
      seen: (reference) => simulator.parcels(reference).map(seenIn),
      advance: simulator.advance,
      raw: {
        delivered: 'Livré',
        moving: 'Expédié',
        returning: 'Retour vers centre',
        returned: 'Retourné au vendeur',
        unknown: 'Mangé par une chèvre',
      },
      signed(body) {
        const signature = createHmac('sha256', credentials.webhookSecret).update(body).digest('hex')
        return { headers: { 'content-type': 'application/json', 'x-yalidine-signature': signature }, body }
      },
      pay: (trackingId, payoutId) => simulator.pay(trackingId, 'payed', payoutId),
    }),
    // Several events stand in one envelope.
    callback: async (events) => inbound(carrier.slug, simulator.callback('parcel_status_updated', events.map(told))),
    challenge: (token) => ({ method: 'GET', url: `${url}?subscribe&crc_token=${token}`, headers: {}, body: new Uint8Array() }),
  }
}
