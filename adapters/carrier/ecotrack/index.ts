import { carrier, type SignIn, signInBy } from 'serai/carrier'
import { testConnection } from './api.ts'
import { type Company, companies } from './companies.ts'
import { cancel, validate } from './drafts.ts'
import { edit } from './edit.ts'
import { type Account, type Context, credentials, settingsOf } from './fields.ts'
import { findByReference } from './find.ts'
import { centers, cities, states } from './geography.ts'
import { batch, batches, preview } from './money.ts'
import { list } from './orders.ts'
import { labels, track, trackMax } from './parcels.ts'
import { send, sendMany, sendManyMax } from './send.ts'
import { statuses } from './statuses.ts'
import { stockProducts } from './stock.ts'
import { fees, rates, serviceFees } from './tariffs.ts'
import { webhook } from './webhook.ts'

const PLATFORM = '*.ecotrack.dz'

function companyCarrier(company: Company) {
  const { slug, label, host, bulk } = company
  const on = (context: Context): Account => ({ context, company })
  return carrier({
    slug,
    label,
    ...(host !== null && { website: `https://${host}/` }),
    countries: ['DZ'],
    currency: 'DZD',
    // Companies move to other hosts of the platform.
    net: host === null ? [PLATFORM] : [host, PLATFORM],
    credentials,
    settings: settingsOf(company),
    exactlyOnce: 'findByReference',
    settleSeconds: 30,
    rateWindows: [{ calls: 50, seconds: 60 }],
    deliveryTypes: ['home', 'pickup'],
    exchanges: true,
    editableIn: ['submitted'],
    editable: ['recipient', 'destination', 'codAmount', 'contents', 'notes'],
    cancellableIn: ['submitted'],
    statuses,
    testConnection: (context) => testConnection(on(context)),
    ...(slug === 'ecotrack' && { branded: ['createApiKey'] }),
    createToken: async (context: Context, login: SignIn) => ({
      token: await signInBy(context, label, `https://${context.settings.host}/api/v1`, context.settings, login),
    }),
    send: (context, shipment) => send(on(context), shipment),
    ...(bulk && {
      sendMany: (context: Context, shipments: Parameters<typeof sendMany>[1]) => sendMany(on(context), shipments),
      sendManyMax,
    }),
    findByReference: (context, reference) => findByReference(on(context), reference),
    edit: (context, trackingId, change) => edit(on(context), trackingId, change),
    cancel: (context, trackingId) => cancel(on(context), trackingId),
    validate: (context, trackingId) => validate(on(context), trackingId),
    track: (context, trackingIds) => track(on(context), trackingIds),
    trackMax,
    list: (context, query) => list(on(context), query),
    labels: (context, trackingIds) => labels(on(context), trackingIds),
    states: (context) => states(on(context)),
    cities: (context, query) => cities(on(context), query),
    centers: (context, query) => centers(on(context), query),
    fees: (context, query) => fees(on(context), query),
    rates: (context, quote) => rates(on(context), quote),
    serviceFees: (context) => serviceFees(on(context)),
    stockProducts: (context) => stockProducts(on(context)),
    webhook,
    cash: {
      preview: (context) => preview(on(context)),
      batches: (context) => batches(on(context)),
      batch: (context, id) => batch(on(context), id),
    },
  })
}

export default companies.map(companyCarrier)
