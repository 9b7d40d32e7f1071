import { type CarrierContext, type Fields, utcOffset } from 'serai/carrier'

export const credentials = {
  token: { label: 'Token', secret: true, help: 'The company gives a token and a key together.' },
  key: { label: 'Key', secret: true },
} as const satisfies Fields

export const settings = {
  shipAtOnce: {
    label: 'Ship at once',
    type: 'boolean',
    default: true,
    help: 'Off: parcels stay in preparation at the carrier until they are validated.',
  },
  productField: {
    label: 'Field that names the goods',
    options: ['TProduit', 'Produit'],
    default: 'TProduit',
    help: 'Where the goods do not show on the company’s labels, try the other.',
  },
  utcOffset,
} as const satisfies Fields

export type Context = CarrierContext<typeof credentials, typeof settings>
