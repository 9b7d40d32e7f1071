import type { CarrierContext, Fields } from 'serai/carrier'

export const credentials = {
  token: { label: 'Token', secret: true, help: 'The API token of your Zimou Express account.' },
} as const satisfies Fields

export const settings = {
  homeService: {
    label: 'Service to the door',
    options: ['Express', 'Flexible'],
    default: 'Express',
  },
  freeDelivery: {
    label: 'We pay the delivery',
    type: 'boolean',
    default: true,
    help: 'On: the carrier collects the order’s total alone, which already holds the delivery price.',
  },
  canBeOpened: { label: 'Recipients may open the parcel before they pay', type: 'boolean', default: false },
  priceColumn: {
    label: 'Which of the three prices is yours',
    options: ['price1', 'price2', 'price3'],
    default: 'price1',
    help: 'The carrier does not explain them. Compare with a bill.',
  },
  weightUnit: { label: 'Unit in which the carrier reads weights', options: ['kg', 'g'], default: 'kg' },
  quantityItems: {
    label: 'Number of items to state',
    type: 'number',
    optional: true,
    help: 'Left empty none is stated; set it where the carrier asks for one.',
  },
} as const satisfies Fields

export type Context = CarrierContext<typeof credentials, typeof settings>
