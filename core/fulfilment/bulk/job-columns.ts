import { type CodeLabel, type CsvColumn, codeColumn, csvColumn } from '../../http/table/csv-export.ts'
import type { BulkJobRow, JobRowStatus } from './bulk.model.ts'

const statusLabels: Readonly<Record<JobRowStatus, CodeLabel>> = {
  waiting: ['En attente', 'قيد الانتظار'],
  done: ['Fait', 'تم'],
  unchanged: ['Inchangée', 'بدون تغيير'],
  pending: ['En cours', 'جارٍ'],
  failed: ['Échec', 'فشل'],
  cancelled: ['Annulée', 'ملغاة'],
}

/** Columns of the CSV export of a job's orders. */
export const jobColumns: readonly CsvColumn<BulkJobRow>[] = [
  csvColumn('Row', 'Ligne', 'السطر', ({ row }) => row),
  csvColumn('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  codeColumn(['Result', 'Résultat', 'النتيجة'], statusLabels, ({ status }) => status),
  csvColumn('Error code', "Code d'erreur", 'رمز الخطأ', ({ error }) => error?.code),
  csvColumn('Error', 'Erreur', 'الخطأ', ({ error }) => error?.message),
  csvColumn('Order id', 'Commande', 'معرف الطلب', ({ orderId }) => orderId),
  csvColumn('Parcel id', 'Colis', 'معرف الطرد', ({ parcelId }) => parcelId),
]
