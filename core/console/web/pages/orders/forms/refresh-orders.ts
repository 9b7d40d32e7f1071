import { queries } from '../../../api/queries.ts'

const dependent = ['status-counts', 'customers', 'calculation']

/** Marks what shows a changed order, or counts it, as out of date. Its row of the list follows its page. */
export const refreshOrders = (orderId: string) =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [name, id] }) => dependent.includes(String(name)) || (name === 'order' && id === orderId),
  })

/** Forgets the lists of orders after a creation, so that they begin with the new order when they are opened again. */
export function forgetOrderLists(): void {
  queries.removeQueries({ queryKey: ['orders'], type: 'inactive' })
  void queries.invalidateQueries({ queryKey: ['status-counts'] })
}
