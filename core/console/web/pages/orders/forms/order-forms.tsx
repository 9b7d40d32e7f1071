import type { Schemas } from '../../../api/client.ts'
import { useStore } from '../../../session/store.tsx'
import { t } from '../../../words/words.ts'
import { EditOrderDialog, isEditable } from './edit-order.tsx'
import { ReturnOrderDialog, returnableItems } from './return-order.tsx'
import { SplitOrderDialog, unsentItems } from './split-order.tsx'

type Order = Schemas['OrderDetails']

/** Form that opens over an order. */
export type OrderForm = 'edit' | 'split' | 'return'

const pieces = (counts: ReadonlyMap<number, number>) => [...counts.values()].reduce((sum, quantity) => sum + quantity, 0)

/** Returns the forms that can be opened for an order now, by its state and the rights of the user. */
export function useOrderForms(order: Order): readonly OrderForm[] {
  const { can } = useStore()
  const isUnderWay = isEditable(order) || order.parcels.length > 0
  const all: readonly (readonly [OrderForm, boolean])[] = [
    ['edit', can('changeOrder') && isEditable(order)],
    ['split', can('sendOrder') && can('listIntegrations') && isUnderWay && pieces(unsentItems(order)) > 1],
    ['return', can('returnOrder') && pieces(returnableItems(order)) > 0],
  ]
  return all.flatMap(([form, isPossible]) => (isPossible ? [form] : []))
}

interface OrderFormChoicesProps {
  readonly forms: readonly OrderForm[]
  readonly onOpen: (form: OrderForm) => void
}

/** Buttons of a menu that open the forms of an order. */
export const OrderFormChoices = ({ forms, onOpen }: OrderFormChoicesProps) => (
  <>
    {forms.map((form) => (
      <button key={form} type="button" onClick={() => onOpen(form)}>
        {t(`orderForm.${form}`)}
      </button>
    ))}
  </>
)

const dialogs = { edit: EditOrderDialog, split: SplitOrderDialog, return: ReturnOrderDialog }

interface OrderFormDialogProps {
  readonly form: OrderForm
  readonly order: Order
  readonly onClose: () => void
}

/** Shows a form of an order. */
export function OrderFormDialog({ form, order, onClose }: OrderFormDialogProps) {
  const Shown = dialogs[form]
  return <Shown order={order} onClose={onClose} />
}
