import { example } from '../../platform/geo/countries/index.ts'
import { exampleId, otherExampleId } from './ids.ts'

const { country, stateCode, cityName, address, phone, otherStateCode, otherCityName, otherAddress, otherPhone } = example
const [storeId, orderId] = [exampleId('sto'), exampleId('ord')]
const customer = { name: 'Amina Saadi', phone }
const destination = { country, stateCode, cityName, address, deliveryType: 'home' }
const items = [{ productId: exampleId('prd'), quantity: 1 }]
const contents = 'Wool basket, 30 cm'

/** Examples of orders, sending and parcels, by schema or operation. */
export const orders: Readonly<Record<string, unknown>> = {
  OrderCalculation: {
    storeId,
    items: [{ productId: exampleId('prd'), quantity: 2 }],
    destination: { country, stateCode, deliveryType: 'home' },
  },
  OrderReplacement: { customer, destination, items, note: 'Call before you come.' },
  NewOrderComment: { text: 'She asked for the blue one.', mentions: [exampleId('usr')] },
  OrderTagChange: { add: ['gift wrap'], remove: ['urgent'] },
  OrderChange: { status: 'confirmed', note: 'She is at home after 5 pm.' },
  OrderChanges: {
    storeId,
    orders: [
      { id: orderId, status: 'confirmed' },
      { id: otherExampleId('ord'), status: 'cancelled', reason: 'The customer found it elsewhere.' },
    ],
  },
  OrderAssignments: { storeId, orderIds: [orderId, otherExampleId('ord')], userIds: [exampleId('usr')] },
  NewOrderReturn: {
    storeId,
    orderId,
    items: [{ item: 0, quantity: 1 }],
    received: true,
    restock: true,
    note: 'Unopened, in good condition.',
  },
  OrderReturnReceipt: { items: [{ item: 0, quantity: 1 }], restock: false, note: 'The handle is broken.' },
  NextConfirmation: { storeId, languages: ['ar', 'fr'] },
  ConfirmationRelease: { storeId, orderId, outcome: 'postponed', until: '2031-01-06T09:00:00.000Z' },
  CustomerMerge: { customerId: otherExampleId('cus') },
  ErasePerson: { phone },
  SendPart: { weightKg: 1.2, notes: 'Call before you come.' },
  sendParcel: { orderId, weightKg: 1.2, notes: 'Call before you come.' },
  SendOrder: { orderId, weightKg: 1.2, notes: 'Call before you come.' },
  SendOrders: { orders: [{ orderId }, { orderId: otherExampleId('ord'), notes: 'Fragile.' }] },
  sendParcels: { orders: [{ orderId }, { orderId: otherExampleId('ord'), notes: 'Fragile.' }] },
  sendOrders: { storeId, carrierCode: 'sandbox', orders: [{ orderId }, { orderId: otherExampleId('ord'), notes: 'Fragile.' }] },
  dispatchOrders: { orderIds: [orderId, otherExampleId('ord')], dryRun: true },
  DispatchRules: {
    rules: [
      { name: 'Capital', when: { states: [stateCode], deliveryTypes: ['home'] }, carriers: [{ carrier: 'sandbox' }], choose: 'price' },
      { name: 'All others', when: {}, carriers: [{ carrier: 'sandbox' }], choose: 'success' },
    ],
  },
  NewParcel: {
    reference: 'ORD-1042',
    recipient: customer,
    destination,
    codAmount: 6500,
    weightKg: 1.2,
    contents,
    notes: 'Call before you come.',
  },
  NewParcelBatch: {
    submit: false,
    parcels: [
      { reference: 'ORD-1043', recipient: customer, destination, codAmount: 6500, contents },
      {
        reference: 'ORD-1044',
        recipient: { name: 'Karim Bensalem', phone: otherPhone },
        destination: { country, stateCode: otherStateCode, cityName: otherCityName, address: otherAddress },
        codAmount: 4200,
        contents: 'Leather belt, 110 cm',
      },
    ],
  },
  ParcelChange: { codAmount: 6000, notes: 'Leave it with the neighbour on the first floor.' },
  OutcomeDecision: { taken: true, trackingId: 'SBX0000000042' },
  StatusRule: { raw: 'Tentative échouée', status: 'delivery_failed' },
  'carrier.resolve': { country, state: example.stateName, city: cityName, address },
  'carrier.labels': { trackingIds: ['SBX0000000042', 'SBX0000000043'], merge: true, paper: 'a4' },
  'carrier.labelIndividual': { trackingId: 'SBX0000000042', paper: 'a6' },
  'carrier.deleteMany': { trackingIds: ['SBX0000000042'] },
  'carrier.list.post': { limit: 20, since: '2026-10-01' },
  resolvePlace: { country, state: 'Algiers', city: 'bab ezouar', address },
  ResolveBatch: {
    items: [
      { country, state: 'Algiers', city: 'bab ezouar' },
      { country, state: otherStateCode, city: otherCityName },
    ],
  },
}
