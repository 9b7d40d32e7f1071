import type { status as english } from '../en/status.ts'

/** Statuses of orders, as shopkeepers say them. */
export const status: Record<keyof typeof english, string> = {
  'status.pending': 'À confirmer',
  'status.confirmed': 'Confirmée',
  'status.unreachable': 'Injoignable',
  'status.postponed': 'Reportée',
  'status.sent': 'Expédiée',
  'status.out_for_delivery': 'En livraison',
  'status.delivered': 'Livrée',
  'status.returning': 'En retour',
  'status.returned': 'Retournée',
  'status.cancelled': 'Annulée',
  'status.lost': 'Perdue',
  'risk.tag': 'Risque',
  'risk.high': "{refused} livraisons sur {ended} sont revenues. Appelez avant d'expédier.",
  'risk.low': '{refused} livraisons sur {ended} sont revenues.',
  'risk.rule': 'Un risque : au moins 3 livraisons terminées, dont la moitié ou plus est revenue.',
}
