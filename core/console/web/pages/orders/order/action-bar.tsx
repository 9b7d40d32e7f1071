import { useState } from 'preact/hooks'
import { useStore } from '../../../session/store.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { Menu } from '../../../ui/menu.tsx'
import { MenuChoice } from '../../../ui/menu-choice.tsx'
import { t } from '../../../words/words.ts'
import { type OrderForm, OrderFormChoices, OrderFormDialog, useOrderForms } from '../forms/order-forms.tsx'
import { useAgents } from '../people.ts'
import { useLabelPath } from './label-path.ts'
import { useAssignOrder, useMoveOrder, useUnsendOrder } from './order-actions.ts'
import type { OrderDetails } from './order-data.ts'
import { PostponeSheet } from './postpone-sheet.tsx'
import { ReasonSheet } from './reason-sheet.tsx'
import { mayTake } from './rules.ts'
import { SendSheet } from './send-sheet.tsx'

type Sheet = 'cancel' | 'postpone' | 'send' | OrderForm
const isForm = (sheet: Sheet | null): sheet is OrderForm => sheet === 'edit' || sheet === 'split' || sheet === 'return'

interface ActionBarProps {
  readonly order: OrderDetails
  /** Tells that a sheet of the bar is open, so that keys of the list rest. */
  readonly onSheet: (isOpen: boolean) => void
}

/** Buttons of the steps that an order and the rights of the user allow. The most likely next step is the primary button. */
export function ActionBar({ order, onSheet }: ActionBarProps) {
  const { can } = useStore()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const open = (next: Sheet | null) => {
    setSheet(next)
    onSheet(next !== null)
  }
  const move = useMoveOrder(order)
  const labelPathOf = useLabelPath()
  const label = order.parcel ? labelPathOf(order.parcel) : undefined
  const { status } = order
  const [mayChange, canSend] = [can('changeOrder'), can('sendOrder') && can('listIntegrations') && mayTake('send', status)]
  const canPostpone = mayChange && mayTake('postpone', status)
  const sentWith = mayTake('unsend', status) && can('unsendOrder') ? order.parcel?.carrier : undefined
  const isSendNext = status === 'confirmed'
  const forms = useOrderForms(order)
  useKeys(
    {
      s: canSend ? () => open('send') : undefined,
      e: forms.includes('edit') ? () => open('edit') : undefined,
      p: label === undefined ? undefined : () => window.open(label, '_blank', 'noopener'),
    },
    { isActive: sheet === null },
  )
  return (
    <>
      <div class="row action-bar">
        {mayChange && mayTake('confirm', status) && (
          <button type="button" class="button primary" onClick={() => move.mutate({ to: 'confirmed' })} disabled={move.isPending}>
            {t('orders.confirm')}
          </button>
        )}
        {canSend && (
          <button type="button" class={`button ${isSendNext ? 'primary' : ''}`} aria-keyshortcuts="S" onClick={() => open('send')}>
            {t('orders.send')}
          </button>
        )}
        {label !== undefined && (
          <a class="button" href={label} aria-keyshortcuts="P" target="_blank" rel="noopener">
            {t('orders.printLabel')}
          </a>
        )}
        {mayChange && mayTake('reopen', status) && (
          <button type="button" class="button" onClick={() => move.mutate({ to: 'pending' })} disabled={move.isPending}>
            {t('orders.reopen')}
          </button>
        )}
        {mayChange && mayTake('cancel', status) && (
          <button type="button" class="button danger" onClick={() => open('cancel')}>
            {t('orders.cancel')}
          </button>
        )}
        {can('assignOrder') && <AssignMenu order={order} />}
        {(forms.length > 0 || canPostpone || sentWith != null) && (
          <Menu label={t('orders.moreActions')} button={<Icon name="more" />}>
            <OrderFormChoices forms={forms} onOpen={open} />
            {canPostpone && (
              <button type="button" onClick={() => open('postpone')}>
                {t('orders.postpone')}
              </button>
            )}
            {sentWith != null && <UnsendChoice order={order} carrier={sentWith} />}
          </Menu>
        )}
      </div>
      {isForm(sheet) && <OrderFormDialog form={sheet} order={order} onClose={() => open(null)} />}
      {sheet === 'send' && <SendSheet order={order} onClose={() => open(null)} />}
      {sheet === 'postpone' && <PostponeSheet order={order} onClose={() => open(null)} />}
      {sheet === 'cancel' && (
        <ReasonSheet
          title={t('orders.cancelTitle', { reference: order.reference })}
          submit="orders.cancel"
          onClose={() => open(null)}
          onSubmit={(reason) => {
            open(null)
            move.mutate({ to: 'cancelled', reason })
          }}
        />
      )}
    </>
  )
}

function AssignMenu({ order }: { readonly order: OrderDetails }) {
  const agents = useAgents()
  const assign = useAssignOrder(order)
  if (agents.length === 0) return null
  return (
    <Menu class="button" button={t('orders.assign')}>
      <MenuChoice label={t('orders.nobody')} isChosen={order.assignedTo === null} onChoose={() => assign.mutate(null)} />
      {agents.map((agent) => (
        <MenuChoice key={agent.id} label={agent.name} isChosen={order.assignedTo === agent.id} onChoose={() => assign.mutate(agent)} />
      ))}
    </Menu>
  )
}

function UnsendChoice({ order, carrier }: { readonly order: OrderDetails; readonly carrier: string }) {
  const unsend = useUnsendOrder(order)
  return (
    <button type="button" onClick={() => unsend.mutate(carrier)}>
      {t('orders.unsend')}
    </button>
  )
}
