import type { Carrier } from '../../../plugins/carrier/contract.ts'
import { feature } from '../../feature.ts'
import { testConnection } from '../../integrations/connections/health/test-connection.ts'
import { resolveAddressForCarrier } from '../../integrations/connections/places/resolve-address.ts'
import { findFirstCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import { findStateByText } from '../../platform/geo/catalogue/state-codes.ts'
import { ask, askRows, given, longList } from './ask.ts'
import { createToken } from './create-token.ts'
import { geography } from './places.ts'
import { readOn } from './read-on.ts'
import { list, trackOne } from './track.ts'

/** State code in the carrier's scheme, for a code in either scheme. */
function carrierState<Code extends string | undefined>({ countries }: Pick<Carrier, 'countries'>, code: Code): Code {
  const catalogue = code === undefined ? undefined : findFirstCatalogue(countries)
  return ((catalogue && code && findStateByText(catalogue.country, code)?.carrierCode) ?? code) as Code
}

/** Operations on carriers themselves, apart from parcels. */
export default feature('carriers', {
  operations: {
    carrier: {
      fees: askRows(
        ({ adapter: carrier, query }, adapter) => carrier.fees(adapter, given('stateCode', carrierState(carrier, query.stateCode))),
        longList('fees'),
      ),
      rates: askRows(({ adapter: carrier, query: { limit: _, cursor: __, stateCode, ...parcel } }, adapter) =>
        carrier.rates(adapter, { ...parcel, stateCode: carrierState(carrier, stateCode) }),
      ),
      serviceFees: askRows(({ adapter: carrier }, adapter) => carrier.serviceFees(adapter)),
      centers: askRows(
        ({ adapter: carrier, query }, adapter) => carrier.centers(adapter, given('stateId', query.stateId)),
        longList('centers'),
      ),
      states: askRows(({ adapter: carrier }, adapter) => carrier.states(adapter), { quota: 'list' }),
      cities: askRows(
        ({ adapter: carrier, query }, adapter) => carrier.cities(adapter, given('stateId', query.stateId)),
        longList('cities'),
      ),
      geography,
      stockProducts: askRows(({ adapter: carrier }, adapter) => carrier.stockProducts(adapter), { quota: 'list' }),
      resolve: (context, { connection, body }) => resolveAddressForCarrier(context, connection, body),
      async ping(context, { connection: { row } }) {
        const began = performance.now()
        const { ok, message } = await testConnection(context, row.storeId, row.key)
        return { ok, milliseconds: Math.round(performance.now() - began), ...(message && { message }) }
      },
      validate: ask(async ({ adapter: carrier, params: { tracking } }, adapter) => {
        await carrier.validate(adapter, tracking)
        return trackOne(carrier, adapter, tracking)
      }),
      track: ask(({ adapter: carrier, params: { tracking } }, adapter) => trackOne(carrier, adapter, tracking)),
      list,
      createToken,
      createApiKey: createToken,
    },
  },
  jobs: { 'carriers.readOn': { work: readOn } },
})
