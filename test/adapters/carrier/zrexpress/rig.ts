import type { CallbackEvent, Rig, SeenParcel } from '../../../../plugins/carrier/acceptance.ts'
import type { Carrier, InboundRequest } from '../../../../plugins/carrier/contract.ts'
import { dinars, inbound as inboundFor, simulatedRig, textOf } from '../../../support/simulated-rig.ts'
import { meanings } from '../meanings.ts'
import { deliveryPriceOf, isRow, type Parcel } from './simulator/parcels.ts'
import { communes, rates, wilayas } from './simulator/places.ts'
import { startZrExpress, type ZrExpress } from './simulator.ts'

export type ZrExpressRig = Rig & { readonly simulator: ZrExpress }

export const inbound = (sent: Pick<InboundRequest, 'headers' | 'body'>) => inboundFor('zrexpress', sent)

const waiting = new Set(['commande_recue', 'en_traitement', 'appel_confirmation', 'commande_confirmee', 'en_preparation'])

function seenIn(parcel: Parcel): SeenParcel {
  const { fields, history, trackingNumber } = parcel
  const [customer, address, weight] = [fields.customer, fields.deliveryAddress, fields.weight].map((row) => (isRow(row) ? row : {}))
  const phone = isRow(customer!.phone) ? customer!.phone : {}
  const [product] = (fields.orderedProducts ?? []) as Readonly<Record<string, number | undefined>>[]
  return {
    trackingId: trackingNumber,
    name: String(customer!.name),
    phone: String(phone.number1),
    phoneAlt: textOf(phone.number2),
    stateCode: wilayas.find(({ id }) => id === address!.cityTerritoryId)?.code ?? '',
    cityName: communes.find(({ id }) => id === address!.districtTerritoryId)?.name ?? null,
    address: textOf(address!.street),
    deliveryType: fields.deliveryType === 'pickup-point' ? 'pickup' : 'home',
    pickupId: textOf(fields.hubId),
    cod: dinars(fields.amount),
    declaredValue: dinars(product?.unitPrice),
    takesBack: null,
    weightGrams: Math.round(Number(weight!.weight) * 1000),
    dimensionsCm: [Number(product?.length), Number(product?.width), Number(product?.height)],
    contents: textOf(fields.description),
    notes: null,
    deliveryFee: dinars(deliveryPriceOf(parcel)),
    // With the change of telephone and the management that its books hold.
    keptFee: { amount: deliveryPriceOf(parcel) * 100 + 5_010 + 2_020, unit: 'minor' },
    // In the states before "ready" no hub looks at it.
    state: waiting.has(history.at(-1)!.newState.name) ? 'draft' : 'confirmed',
  }
}

/** What is paid in the end, from Alger: with VAT, after the discount. A commune that has no price of its own has its wilaya's. */
function pricesTo({ stateCode, cityName }: { stateCode: string; cityName: string }) {
  const wilaya = wilayas.find(({ code }) => code === stateCode)
  const commune = communes.find(({ name, parentId }) => name === cityName && parentId === wilaya?.id)
  const all = rates(wilayas.find(({ code }) => code === '16')!.id) ?? []
  const row =
    all.find(({ toTerritoryId }) => toTerritoryId === commune?.id) ?? all.find(({ toTerritoryId }) => toTerritoryId === wilaya?.id)
  const price = (type: string) => {
    const found = row?.deliveryPrices.find(({ deliveryType }) => deliveryType === type)
    return found?.discountedPriceTtc ?? found?.priceTtc ?? null
  }
  const back = price('return')
  return { home: price('home'), pickup: price('pickup-point'), ...(back !== null && { returnFee: back }) }
}

export function rig(carrier: Carrier, simulator = startZrExpress({ seed: 7 })): ZrExpressRig {
  const { credentials, books, money, webhooks } = simulator
  return simulatedRig(carrier, simulator, {
    credentials,
    settings: { fromStateCode: '16' },
    badCredentials: { apiKey: 'wrong-key-9876543210' },
    // The adapter has no opinion on sizes, the carrier has: two reasons for one parcel.
    refusable: { dimensions: { lengthCm: 5_000, widthCm: 5_000, heightCm: 10 } },
    reads: '^GET|/search$',
    // No window is published; others keep to this one. A filter that is not understood costs a call for each parcel.
    limits: { windows: [{ calls: 45, seconds: 60 }], sendMany: 100, track: 45 },
    steps: {
      create: '^POST /api/v1/parcels(/bulk)?$',
      customer: '^POST /api/v1/customers/',
      'tracking number': '^GET /api/v1/parcels/[^/]+$',
    },
    modes: { shipping: { shipAtOnce: true }, draft: { shipAtOnce: false } },
    lacks: { notes: 'a parcel has no place for notes' },
    stock: [
      { sku: 'SNK-42', quantity: 12 },
      { sku: 'SNK-43', quantity: 0 },
    ],
    setUpGives: ['webhookSecret'],
    prices: pricesTo,
    charges: [10, 0, 300, 450.5, 50],
    meanings: meanings.zrexpress,
    seen: (reference) =>
      books
        .all()
        .filter(({ fields }) => fields.externalId === reference)
        .map(seenIn),
    advance: (trackingId, state, { at }) => books.advance(trackingId, state, at),
    raw: {
      delivered: 'livre',
      moving: 'vers_wilaya',
      returning: 'retour_sous_traitant',
      returned: 'recupere_par_fournisseur',
      unknown: 'mange_par_une_chevre',
    },
    told(event: CallbackEvent) {
      if (!event) return { eventType: 'parcel.state.updated', data: 5 }
      const { trackingId, carrierStatus, at } = event
      return webhooks.event('parcel.state.updated', trackingId, { state: { id: crypto.randomUUID(), name: carrierStatus } }, at)
    },
    signed: (body, id) => webhooks.sign(body, id === undefined ? {} : { id }),
    pay: (trackingId, payoutId) => money.pay(trackingId, payoutId),
  })
}
