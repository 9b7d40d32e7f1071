import { Link } from 'wouter-preact'
import { Failure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { OrderStatusTag } from '../../../ui/values.tsx'
import { t } from '../../../words/words.ts'
import { ActionBar } from './action-bar.tsx'
import { useOrder } from './order-data.ts'
import { OrderSkeleton } from './order-drawer.tsx'
import { OrderView } from './order-view.tsx'

interface OrderPageProps {
  readonly orderId: string
  /** Address of the list. */
  readonly back: string
}

/** Order as a page of its own, as its address shows it when it is opened directly. */
export function OrderPage({ orderId, back }: OrderPageProps) {
  const { data: order, error } = useOrder(orderId)
  return (
    <main class="page order-page">
      <Link href={back} class="back">
        <Icon name="back" />
        {t('nav.orders')}
      </Link>
      {error && <Failure error={error} />}
      {!order && !error && <OrderSkeleton />}
      {order && (
        <>
          <div class="page-head">
            <h1 class="ltr">{order.reference}</h1>
            <OrderStatusTag status={order.status} />
          </div>
          <ActionBar order={order} onSheet={() => {}} />
          <OrderView order={order} />
        </>
      )}
    </main>
  )
}
