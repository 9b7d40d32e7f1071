import { useQuery } from '@tanstack/preact-query'
import { api } from '../../../../api/client.ts'
import { unwrap } from '../../../../api/errors.ts'
import { useStore } from '../../../../session/store.tsx'
import { Checks } from '../../../../ui/form/checks.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { t } from '../../../../words/words.ts'
import { useCarriers } from '../../people.ts'
import { dayOf, lastDayBefore } from './days.ts'
import { wordOfValue } from './filter-words.ts'
import { deliveryTypes, type OrderFilters, parcelStatuses } from './filters.ts'

const TAGS_SHOWN = 50

/** Reads the tags that orders of the store have. */
export function useStoreTags(): readonly string[] {
  const { storeId, can } = useStore()
  const read = async () => {
    const params = { path: { storeId }, query: { limit: TAGS_SHOWN } }
    return (await unwrap(api.GET('/v1/stores/{storeId}/order-tags', { params }))).data.map(({ tag }) => tag)
  }
  return useQuery({ queryKey: ['order-tags', storeId], queryFn: read, enabled: can('listStoreTags') }).data ?? []
}

/** Filters by carrier, parcel, delivery and tags, each with several values. */
export function ParcelFilters({ filters }: { readonly filters: OrderFilters }) {
  const carriers = useCarriers()
  const tags = useStoreTags()
  const chosen = (name: 'carrier' | 'tag') => filters[name]?.split(',') ?? []
  // A chosen value stays in the form, also when the store no longer has it.
  const known = [...carriers, ...chosen('carrier').flatMap((id) => (carriers.some((each) => each.id === id) ? [] : [{ id, name: id }]))]
  return (
    <>
      <FilterChecks name="carrier" chosen={chosen('carrier')} choices={known.map(({ id, name }) => [id, name])} />
      <FilterChecks
        name="parcelStatus"
        chosen={filters.parcelStatus?.split(',') ?? []}
        choices={parcelStatuses.map((status) => [status, wordOfValue('parcelStatus', status) ?? status])}
      />
      <FilterChecks
        name="deliveryType"
        chosen={filters.deliveryType?.split(',') ?? []}
        choices={deliveryTypes.map((type) => [type, wordOfValue('deliveryType', type) ?? type])}
      />
      <FilterChecks name="tag" chosen={chosen('tag')} choices={[...new Set([...chosen('tag'), ...tags])].map((tag) => [tag, tag])} />
    </>
  )
}

interface FilterChecksProps {
  readonly name: 'carrier' | 'parcelStatus' | 'deliveryType' | 'tag'
  readonly chosen: readonly string[]
  readonly choices: readonly (readonly [value: string, text: string])[]
}

const FilterChecks = ({ name, ...rest }: FilterChecksProps) =>
  rest.choices.length === 0 ? null : <Checks label={t(`orders.filter.${name}`)} name={name} {...rest} isWide />

/** Fields of the commune, the amount, and the day since which an order waits. */
export function ValueFilters({ filters }: { readonly filters: OrderFilters }) {
  const { timeZone } = useStore()
  return (
    <>
      <Field label={t('orders.filter.cityCode')} hint={t('orders.cityHint')}>
        <input name="cityCode" maxLength={120} defaultValue={filters.cityCode} />
      </Field>
      <Field label={t('orders.filter.minTotal')}>
        <input name="minTotal" type="number" min={0} step="any" inputMode="decimal" class="ltr" defaultValue={filters.minTotal} />
      </Field>
      <Field label={t('orders.filter.maxTotal')}>
        <input name="maxTotal" type="number" min={0} step="any" inputMode="decimal" class="ltr" defaultValue={filters.maxTotal} />
      </Field>
      <Field label={t('orders.filter.waitingSince')}>
        <input
          name="waitingSince"
          type="date"
          max={dayOf(Date.now(), timeZone)}
          defaultValue={filters.waitingSince && lastDayBefore(filters.waitingSince, timeZone)}
        />
      </Field>
    </>
  )
}
