import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { t } from '../../../words/words.ts'
import { useAgents } from '../people.ts'
import { dayOf, endOfDay, lastDayBefore, startOfDay } from './days.ts'
import { changeFilters, type OrderFilters, orderStatuses, paymentStatuses, sources } from './filters.ts'

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
    const [from, to] = [read('from'), read('to')]
    onApply(
      changeFilters(filters, {
        status: form.getAll('status').join(','),
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
        <StatusChoices chosen={filters.status?.split(',') ?? []} />
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
        <ChoiceField name="paymentStatus" choices={paymentStatuses} chosen={filters.paymentStatus} />
        <ChoiceField name="source" choices={sources} chosen={filters.source} />
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

const StatusChoices = ({ chosen }: { readonly chosen: readonly string[] }) => (
  <fieldset class="choices whole-row">
    <legend>{t('orders.status')}</legend>
    {orderStatuses.map((status) => (
      <label key={status} class="check">
        <input type="checkbox" name="status" value={status} defaultChecked={chosen.includes(status)} />
        {t(`status.${status}`)}
      </label>
    ))}
  </fieldset>
)

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

type Chosen = 'paymentStatus' | 'source'
type Choices<Name extends Chosen> = Name extends 'source' ? (typeof sources)[number] : (typeof paymentStatuses)[number]

interface ChoiceFieldProps<Name extends Chosen> {
  readonly name: Name
  readonly choices: readonly Choices<Name>[]
  readonly chosen: string | undefined
}

function ChoiceField<Name extends Chosen>({ name, choices, chosen }: ChoiceFieldProps<Name>) {
  return (
    <Field label={t(`orders.filter.${name}`)}>
      <select name={name} defaultValue={chosen ?? ''}>
        <option value="">{t('orders.any')}</option>
        {choices.map((value) => (
          <option key={value} value={value}>
            {t(`orders.${name}.${value}` as 'orders.source.api')}
          </option>
        ))}
      </select>
    </Field>
  )
}
