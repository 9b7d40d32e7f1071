import { useStore } from '../../../../session/store.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { Checks } from '../../../../ui/form/checks.tsx'
import { Field } from '../../../../ui/form/field.tsx'
import { t } from '../../../../words/words.ts'
import { useAgents } from '../../people.ts'
import { dayOf, endOfDay, lastDayBefore, startOfDay } from './days.ts'
import { wordOfValue } from './filter-words.ts'
import { changeFilters, listOf, type OrderFilters, orderStatuses, paymentStatuses, printedStates, sources } from './filters.ts'
import { ParcelFilters, ValueFilters } from './parcel-filters.tsx'

interface FilterSheetProps {
  readonly filters: OrderFilters
  readonly onApply: (filters: OrderFilters) => void
  readonly onClose: () => void
}

/** Form of all filters. */
export function FilterSheet({ filters, onApply, onClose }: FilterSheetProps) {
  const { timeZone } = useStore()
  const apply = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const read = (name: string) => String(form.get(name) ?? '').trim() || undefined
    const readList = (name: string) => form.getAll(name).join(',')
    const [from, to, waiting] = [read('from'), read('to'), read('waitingSince')]
    onApply(
      changeFilters(filters, {
        status: readList('status'),
        carrier: readList('carrier'),
        parcelStatus: readList('parcelStatus'),
        deliveryType: readList('deliveryType'),
        tag: readList('tag'),
        printed: read('printed'),
        cityCode: listOf(read('cityCode') ?? '').join(','),
        minTotal: read('minTotal'),
        maxTotal: read('maxTotal'),
        waitingSince: waiting && endOfDay(waiting, timeZone),
        assignedTo: read('assignedTo'),
        stateCode: read('stateCode'),
        paymentStatus: read('paymentStatus'),
        source: read('source'),
        from: from && startOfDay(from, timeZone),
        to: to && endOfDay(to, timeZone),
      }),
    )
  }
  return (
    <Dialog title={t('orders.filters')} onClose={onClose}>
      <form class="filter-sheet" onSubmit={apply}>
        <Checks
          label={t('orders.status')}
          name="status"
          chosen={filters.status?.split(',') ?? []}
          choices={orderStatuses.map((status) => [status, t(`status.${status}`)])}
          isWide
        />
        <ParcelFilters filters={filters} />
        <AgentField chosen={filters.assignedTo} />
        <Field label={t('orders.filter.stateCode')} hint={t('orders.stateHint')}>
          <input name="stateCode" maxLength={120} defaultValue={filters.stateCode} />
        </Field>
        <Field label={t('orders.filter.from')}>
          <input name="from" type="date" defaultValue={filters.from && dayOf(filters.from, timeZone)} />
        </Field>
        <Field label={t('orders.filter.to')}>
          <input name="to" type="date" defaultValue={filters.to && lastDayBefore(filters.to, timeZone)} />
        </Field>
        <ValueFilters filters={filters} />
        <ChoiceField name="printed" chosen={filters.printed} />
        <ChoiceField name="paymentStatus" chosen={filters.paymentStatus} />
        <ChoiceField name="source" chosen={filters.source} />
        <div class="row end-row whole-row">
          <button type="button" class="button" onClick={() => onApply(changeFilters({}, { q: filters.q, sort: filters.sort }))}>
            {t('orders.clearFilters')}
          </button>
          <button type="submit" class="button primary">
            {t('orders.apply')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function AgentField({ chosen }: { readonly chosen: string | undefined }) {
  const agents = useAgents()
  const isKnown = chosen === undefined || chosen === 'none' || agents.some(({ id }) => id === chosen)
  return (
    <Field label={t('orders.filter.assignedTo')}>
      <select name="assignedTo" defaultValue={chosen ?? ''}>
        <option value="">{t('orders.anybody')}</option>
        <option value="none">{t('orders.nobody')}</option>
        {!isKnown && <option value={chosen}>{chosen}</option>}
        {agents.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  )
}

const choicesOf = { paymentStatus: paymentStatuses, source: sources, printed: printedStates } as const
type Chosen = keyof typeof choicesOf

interface ChoiceFieldProps {
  readonly name: Chosen
  readonly chosen: string | undefined
}

function ChoiceField({ name, chosen }: ChoiceFieldProps) {
  return (
    <Field label={t(`orders.filter.${name}`)}>
      <select name={name} defaultValue={chosen ?? ''}>
        <option value="">{t('orders.any')}</option>
        {choicesOf[name].map((value) => (
          <option key={value} value={value}>
            {wordOfValue(name, value) ?? value}
          </option>
        ))}
      </select>
    </Field>
  )
}
