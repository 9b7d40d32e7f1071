import { eraseByIds, eraseInOneTransaction, placeWithoutAddress } from '../../data/personal-data/personal-data.ts'
import { json, type Queryable } from '../../data/sql.ts'
import { ERASED } from '../../lib/person/person-matcher.ts'

/** Erases the recipients of parcels. Amounts, and destinations up to the state, stay. */
export const personalParcels = eraseByIds('parcelIds', 'parcels', async (tx, ids, { projectId, matcher }) => {
  const locked = await tx<Texts[]>`select id, contents, coalesce(last_error::text, '') as last_error, coalesce(told::text, '') as told,
        carrier_data::text as carrier_data, coalesce(label_url, '') as label_url, coalesce(takes_back, '') as takes_back
      from parcels where project_id = ${projectId} and id = any (${ids as string[]}) order by id for update`
  const clean = (text: string) => matcher.scrub(text, { isAbout: true })
  const cleanJson = (text: string) => (text === '' ? null : matcher.scrubJson(JSON.parse(text), { isAbout: true }))
  for (const { id, ...texts } of locked) {
    const { contents, lastError, told, carrierData, labelUrl, takesBack } = texts
    await tx`update parcels set recipient = ${json(tx, { name: ERASED, phone: ERASED })}::jsonb || jsonb_build_object('phoneAlt',
            case when recipient ->> 'phoneAlt' is not null then ${ERASED}::text end),
          destination = ${placeWithoutAddress(tx, 'destination')}, notes = ${marked(tx, 'notes')}, metadata = '{}', contents = ${clean(contents)},
          last_error = ${json(tx, cleanJson(lastError))}, told = ${json(tx, cleanJson(told))}, carrier_data = ${json(tx, cleanJson(carrierData))},
          label_url = nullif(${clean(labelUrl)}, ''), takes_back = nullif(${clean(takesBack)}, ''), erased_at = coalesce(erased_at, now())
        where project_id = ${projectId} and id = ${id}`
  }
})

interface Texts {
  readonly id: string
  readonly contents: string
  readonly lastError: string
  readonly told: string
  readonly carrierData: string
  readonly labelUrl: string
  readonly takesBack: string
}

const marked = (sql: Queryable, column: string) => sql`case when ${sql(column)} = '' then '' else ${ERASED} end`

/** Erases the person's phone number where it is the second number of another recipient. */
export const secondPhonesOfParcels = eraseInOneTransaction(
  'parcels (second numbers)',
  (tx, { projectId, terms, parcelIds, requestedAt: askedAt }) =>
    tx`update parcels set recipient = recipient || ${json(tx, { phoneAlt: ERASED })}::jsonb, updated_at = now()
    where project_id = ${projectId} and recipient ->> 'phoneAlt' = any (${terms.phones as string[]}) and recipient ->> 'phoneAlt' is not null
      and id <> all (${parcelIds as string[]}) and created_at <= ${askedAt}`,
)
