import { useState } from 'preact/hooks'
import { useStore } from '../../../session/store.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { useKeys } from '../../../ui/keys.ts'
import { OrderStatusTag } from '../../../ui/values.tsx'
import { findRow } from '../list/order-list.ts'
import { ActionBar } from './action-bar.tsx'
import { useOrder } from './order-data.ts'
import { OrderView } from './order-view.tsx'

interface OrderDrawerProps {
  readonly orderId: string
  /** Goes on to the next order of the list, or back to the one before. */
  readonly onStep: (by: 1 | -1) => void
  readonly onClose: () => void
}

/** Order in a drawer over its list. */
export function OrderDrawer({ orderId, onStep, onClose }: OrderDrawerProps) {
  const { storeId } = useStore()
  const { data: order, error } = useOrder(orderId)
  const [hasSheet, setHasSheet] = useState(false)
  useKeys({ j: () => onStep(1), k: () => onStep(-1) }, { isActive: !hasSheet })
  const head = order ?? findRow(storeId, orderId)
  return (
    <Dialog shape="drawer" title={head?.reference ?? ''} beside={head && <OrderStatusTag status={head.status} />} onClose={onClose}>
      {error && <Failure error={error} />}
      {order ? <OrderView order={order} key={orderId} /> : !error && <OrderSkeleton />}
      {order && <ActionBar order={order} key={`${orderId} actions`} onSheet={setHasSheet} />}
    </Dialog>
  )
}

/** Place of an order that is being read. */
export const OrderSkeleton = () => (
  <div class="stack" aria-busy="true">
    {[60, 40, 75, 50].map((width) => (
      <span key={width} class="skeleton" style={{ inlineSize: `${width}%` }} />
    ))}
  </div>
)
