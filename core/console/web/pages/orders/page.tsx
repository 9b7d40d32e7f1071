import '../../styles/order.css'
import '../../styles/orders.css'
import { useParams, useSearch } from 'wouter-preact'
import { useHistoryState } from 'wouter-preact/use-browser-location'
import { useStore } from '../../session/store.tsx'
import { OrdersList } from './list/orders-list.tsx'
import { OrderPage } from './order/order-page.tsx'

/** Orders of the store: the list, with one order in a drawer over it; or that order alone when its address was opened directly. */
export default function OrdersPage() {
  const { orderId } = useParams<{ readonly orderId?: string }>()
  const { storeId } = useStore()
  const search = useSearch()
  const state = useHistoryState<{ readonly isOverList?: boolean } | null>()
  if (orderId !== undefined && !state?.isOverList)
    return <OrderPage orderId={orderId} back={`/${storeId}/orders${search && `?${search}`}`} key={orderId} />
  return <OrdersList openId={orderId} />
}
