import { type CarrierContext, type Fields, usualSize, utcOffset } from 'serai/carrier'

export const credentials = {
  apiToken: { label: 'API token', secret: true, help: 'NOEST gives it with the user GUID.' },
  userGuid: { label: 'User GUID', secret: true, help: 'It goes into every write; without it nothing is taken.' },
} as const satisfies Fields

export const settings = {
  shipAtOnce: {
    label: 'Validate at once',
    type: 'boolean',
    default: true,
    help: 'Off: parcels stay drafts, which nobody picks up, until they are validated. NOEST deletes drafts only.',
  },
  orderType: { label: 'Kind of orders', options: ['delivery', 'exchange', 'pickup'], default: 'delivery' },
  takenBack: { label: 'What is taken back in an exchange', optional: true },
  canOpen: { label: 'The recipient may open the parcel', type: 'boolean', default: false },
  fromStock: {
    label: 'Goods lie in NOEST’s warehouse',
    type: 'boolean',
    default: false,
    help: 'The contents of a parcel must then be one product as NOEST names it, such as "Basket 42 x2".',
  },
  fromStation: { label: 'Station that parcels leave from', optional: true, pattern: '[0-9A-Za-z]{1,10}', help: 'Its code, such as 16A.' },
  shopName: { label: 'Name of the shop on parcels', optional: true },
  weightKg: usualSize.weightKg,
  utcOffset,
} as const satisfies Fields

export type Context = CarrierContext<typeof credentials, typeof settings>
