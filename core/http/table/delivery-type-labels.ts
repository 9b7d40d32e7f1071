import type { deliveryTypes } from '../../../plugins/carrier/model.ts'
import type { CodeLabel } from './csv-export.ts'

/** Labels of the delivery types, for exports. */
export const deliveryTypeLabels: Readonly<Record<(typeof deliveryTypes)[number], CodeLabel>> = {
  home: ['À domicile', 'إلى المنزل'],
  pickup: ['Point relais', 'نقطة استلام'],
  return_point: ['Point de retour', 'نقطة إرجاع'],
}
