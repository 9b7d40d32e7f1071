import { type CsvColumn, codeColumn, csvColumn } from '../../../http/table/csv-export.ts'
import type { Parcel } from '../parcels.model.ts'
import { cashStatusLabels, deliveryTypeLabels, parcelStatusLabels } from './parcel-labels.ts'

/** Columns of the parcels' CSV export. */
export const parcelColumns: readonly CsvColumn<Parcel>[] = [
  csvColumn('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  csvColumn('Tracking number', 'Numéro de suivi', 'رقم التتبع', ({ trackingId }) => trackingId),
  csvColumn('Carrier', 'Transporteur', 'شركة التوصيل', ({ courierId }) => courierId),
  codeColumn(['Status', 'Statut', 'الحالة'], parcelStatusLabels, ({ status }) => status),
  codeColumn(['Cash status', "Statut de l'encaissement", 'حالة التحصيل'], cashStatusLabels, ({ cashStatus }) => cashStatus),
  csvColumn('Amount to collect', 'Montant à encaisser', 'المبلغ المطلوب تحصيله', ({ codAmount }) => codAmount),
  csvColumn('Declared value', 'Valeur déclarée', 'القيمة المصرح بها', ({ declaredValue }) => declaredValue),
  csvColumn('Recipient', 'Destinataire', 'المستلم', ({ recipient }) => recipient.name),
  csvColumn('Phone', 'Téléphone', 'الهاتف', ({ recipient }) => recipient.phone),
  csvColumn('State code', 'Code de la région', 'رمز الولاية', ({ destination }) => destination.stateCode),
  csvColumn('State', 'Région', 'الولاية', ({ destination }) => destination.stateName),
  csvColumn('City', 'Commune', 'البلدية', ({ destination }) => destination.cityName),
  csvColumn('Address', 'Adresse', 'العنوان', ({ destination }) => destination.address),
  codeColumn(['Delivery type', 'Type de livraison', 'نوع التوصيل'], deliveryTypeLabels, ({ destination }) => destination.deliveryType),
  csvColumn('Weight (kg)', 'Poids (kg)', 'الوزن (كغ)', ({ weightKg }) => weightKg),
  csvColumn('Contents', 'Contenu', 'المحتوى', ({ contents }) => contents),
  csvColumn('Delivery attempts', 'Tentatives', 'محاولات التوصيل', ({ deliveryAttempts }) => deliveryAttempts),
  csvColumn('Created', 'Créé', 'تاريخ الإنشاء', ({ createdAt }) => createdAt),
  csvColumn('Submitted', 'Remis', 'تاريخ التسليم للناقل', ({ submittedAt }) => submittedAt),
  csvColumn('Delivered', 'Livré', 'تاريخ التوصيل', ({ deliveredAt }) => deliveredAt),
  csvColumn('Returned', 'Retourné', 'تاريخ الإرجاع', ({ returnedAt }) => returnedAt),
  csvColumn('Parcel id', 'Identifiant', 'المعرف', ({ id }) => id),
  csvColumn('Order id', 'Commande', 'معرف الطلب', ({ orderId }) => orderId),
]
