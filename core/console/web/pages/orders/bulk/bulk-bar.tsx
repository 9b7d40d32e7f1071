import { useState } from 'preact/hooks'
import { useStore } from '../../../session/store.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { Menu } from '../../../ui/menu.tsx'
import { isPhone } from '../../../ui/phone.ts'
import { t } from '../../../words/words.ts'
import type { OrderFilters } from '../list/filters/filters.ts'
import { isEmpty, type Selection } from '../list/selection.ts'
import { BulkSheet } from './bulk-sheet.tsx'
import { type Action, printing, useStartJob } from './jobs.ts'

interface BulkBarProps {
  readonly selection: Selection
  readonly filters: OrderFilters
  /** Number of all orders that match; undefined while it is not known. */
  readonly total: number | undefined
  readonly canChooseAll: boolean
  readonly onChooseAll: () => void
  readonly onClear: () => void
}

/** Bar of the chosen rows: how many they are, and what can be done with all of them at once. */
export function BulkBar({ selection, filters, total, canChooseAll, onChooseAll, onClear }: BulkBarProps) {
  const { can } = useStore()
  const [asked, setAsked] = useState<Action['type'] | null>(null)
  const start = useStartJob(filters, () => {
    setAsked(null)
    onClear()
  })
  const run = (action: Action) => start.mutate({ action, selection })
  // An action on all that match, also on rows that were never seen, is asked for once more.
  const ask = (type: Action['type']) => (selection.isAll || type !== 'confirm' ? setAsked(type) : run({ type: 'confirm' }))
  const print = () => (selection.isAll ? setAsked('print') : run(printing))
  const canPrint = can('sendOrders')
  // Without the carriers nothing could be chosen.
  const canSend = canPrint && can('listIntegrations')
  const isShown = !isEmpty(selection)
  useKeys({ s: canSend ? () => ask('send') : undefined, p: canPrint ? print : undefined }, { isActive: isShown && asked === null })
  if (!isShown || !can('startOrderJob')) return null
  const count = selection.isAll ? total : selection.ids.size
  return (
    <section class="bulk-bar" aria-label={t('bulk.bar')}>
      <strong>{count === undefined ? t('bulk.allMatching') : t('bulk.chosen', { count })}</strong>
      {canChooseAll && !selection.isAll && (
        <button type="button" class="button quiet" onClick={onChooseAll}>
          {total === undefined ? t('bulk.chooseAll') : t('bulk.chooseAllOf', { count: total })}
        </button>
      )}
      <button type="button" class="button" onClick={() => ask('confirm')} disabled={start.isPending}>
        {t('orders.confirm')}
      </button>
      {canSend && (
        <button type="button" class="button" onClick={() => ask('send')} disabled={start.isPending} aria-keyshortcuts="S">
          {t('orders.send')}
        </button>
      )}
      {canPrint && !isPhone.value && (
        <button type="button" class="button" onClick={print} disabled={start.isPending} aria-keyshortcuts="P">
          {t('bulk.printLabels')}
        </button>
      )}
      <Menu label={t('orders.moreActions')} button={<Icon name="more" />}>
        {canPrint && isPhone.value && (
          <button type="button" onClick={print}>
            {t('bulk.printLabels')}
          </button>
        )}
        <button type="button" onClick={() => ask('assign')}>
          {t('orders.assign')}
        </button>
        <button type="button" onClick={() => ask('tag')}>
          {t('bulk.tag')}
        </button>
        <button type="button" class="danger" onClick={() => ask('cancel')}>
          {t('bulk.cancel')}
        </button>
      </Menu>
      <button type="button" class="button quiet icon" aria-label={t('bulk.clear')} onClick={onClear}>
        <Icon name="close" />
      </button>
      {start.error && asked === null && <Failure error={start.error} />}
      {asked !== null && (
        <BulkSheet type={asked} count={count} error={start.error} isPending={start.isPending} onRun={run} onClose={() => setAsked(null)} />
      )}
    </section>
  )
}
