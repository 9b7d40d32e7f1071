import type { OrderStatus } from '../../../ui/values.tsx'

/** Steps that a person may take with an order. */
export type OrderStep = 'confirm' | 'postpone' | 'cancel' | 'send' | 'unsend' | 'reopen'

const open: readonly OrderStatus[] = ['pending', 'confirmed', 'unreachable', 'postponed']
const allowedIn: Readonly<Record<OrderStep, readonly OrderStatus[]>> = {
  confirm: open.filter((status) => status !== 'confirmed'),
  postpone: open.filter((status) => status !== 'postponed'),
  cancel: open,
  send: open,
  unsend: ['sent'],
  reopen: ['cancelled'],
}

/** Returns true if a step makes sense in a status. The server decides; this only hides what it would refuse. */
export const mayTake = (step: OrderStep, status: OrderStatus): boolean => allowedIn[step].includes(status)
