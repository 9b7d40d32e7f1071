import type { Carrier } from '../../../plugins/carrier/contract.ts'
import type { Context } from '../../context.ts'
import { feature } from '../../feature.ts'
import { testConnection } from '../../integrations/connections/health/test-connection.ts'
import { resolveAddressForCarrier } from '../../integrations/connections/places/resolve-address.ts'
import { findFirstCatalogue } from '../../platform/geo/catalogue/catalogues.ts'
import { assertKnownState, findStateByText } from '../../platform/geo/catalogue/state-codes.ts'
import { adapterListOperation, adapterOperation, longListOptions, optionalField } from './adapter-operations.ts'
import { continueList } from './continue-list.ts'
import { createToken } from './create-token.ts'
import { listGeography } from './places.ts'
import { listCarrierParcels, trackParcel } from './track.ts'

/** State code in the carrier's scheme, for a code in either scheme. */
function carrierState<Code extends string | undefined>({ countries }: Pick<Carrier, 'countries'>, code: Code): Code {
  const catalogue = code === undefined ? undefined : findFirstCatalogue(countries)
  return ((catalogue && code && findStateByText(catalogue.country, code)?.carrierCode) ?? code) as Code
}

interface StateQuery {
  readonly adapter: Pick<Carrier, 'countries'>
  readonly query: { readonly stateCode?: string | undefined }
}

/** Wraps a handler so that it refuses a state that the carrier's country does not have, before the carrier is asked. */
const inKnownState =
  <T extends StateQuery, V>(handle: (context: Context, call: T) => Promise<V>) =>
  async (context: Context, call: T): Promise<V> => {
    const { stateCode = '' } = call.query
    const catalogue = findFirstCatalogue(call.adapter.countries)
    if (stateCode !== '' && catalogue) await assertKnownState(context.sql, catalogue.country, stateCode, ['stateCode'])
    return handle(context, call)
  }

/** Operations on carriers themselves, apart from parcels. */
export default feature('carriers', {
  operations: {
    carrier: {
      fees: inKnownState(
        adapterListOperation(
          ({ adapter: carrier, query }, adapter) =>
            carrier.fees(adapter, optionalField('stateCode', carrierState(carrier, query.stateCode))),
          longListOptions('fees'),
        ),
      ),
      rates: inKnownState(
        adapterListOperation(({ adapter: carrier, query: { limit: _, cursor: __, stateCode, ...parcel } }, adapter) =>
          carrier.rates(adapter, { ...parcel, stateCode: carrierState(carrier, stateCode) }),
        ),
      ),
      serviceFees: adapterListOperation(({ adapter: carrier }, adapter) => carrier.serviceFees(adapter)),
      centers: adapterListOperation(
        ({ adapter: carrier, query }, adapter) => carrier.centers(adapter, optionalField('stateId', query.stateId)),
        longListOptions('centers'),
      ),
      states: adapterListOperation(({ adapter: carrier }, adapter) => carrier.states(adapter), { quota: 'list' }),
      cities: adapterListOperation(
        ({ adapter: carrier, query }, adapter) => carrier.cities(adapter, optionalField('stateId', query.stateId)),
        longListOptions('cities'),
      ),
      geography: listGeography,
      stockProducts: adapterListOperation(({ adapter: carrier }, adapter) => carrier.stockProducts(adapter), { quota: 'list' }),
      resolve: (context, { connection, body }) => resolveAddressForCarrier(context, connection, body),
      async ping(context, { connection: { row } }) {
        const began = performance.now()
        const { ok, message } = await testConnection(context, row.storeId, row.key)
        return { ok, milliseconds: Math.round(performance.now() - began), ...(message && { message }) }
      },
      validate: adapterOperation(async ({ adapter: carrier, params: { tracking } }, adapter) => {
        await carrier.validate(adapter, tracking)
        return trackParcel(carrier, adapter, tracking)
      }),
      track: adapterOperation(({ adapter: carrier, params: { tracking } }, adapter) => trackParcel(carrier, adapter, tracking)),
      list: listCarrierParcels,
      createToken,
      createApiKey: createToken,
    },
  },
  jobs: { 'carriers.continueList': { work: continueList } },
})
