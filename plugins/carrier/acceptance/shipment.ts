import type { Shipment } from '../contract.ts'

let count = 0
const tag = crypto.randomUUID().slice(0, 8)

/** Builds a shipment to Oran with cash on delivery. */
export const shipment = (change: Partial<Shipment> = {}): Shipment => ({
  reference: `par_${tag}_${++count}`,
  recipient: { name: 'Karim Test', phone: '+213550000000' },
  destination: {
    country: 'DZ',
    stateCode: '31',
    stateName: 'Oran',
    cityName: 'Oran',
    address: '12 rue des Tests',
    deliveryType: 'home',
  },
  codAmount: 3200,
  declaredValue: 3000,
  weightKg: 1,
  contents: 'Test item x1',
  notes: '',
  ...change,
})
