import { type CsvColumn, column } from '../../../http/table/csv-export.ts'
import type { Parcel } from '../parcels.model.ts'

/** Columns of the export of parcels. */
export const parcelColumns: readonly CsvColumn<Parcel>[] = [
  column('Reference', 'Référence', 'المرجع', ({ reference }) => reference),
  column('Tracking number', 'Numéro de suivi', 'رقم التتبع', ({ trackingId }) => trackingId),
  column('Carrier', 'Transporteur', 'شركة التوصيل', ({ courierId }) => courierId),
  column('Status', 'Statut', 'الحالة', ({ status }) => status),
  column('Cash status', "Statut de l'encaissement", 'حالة التحصيل', ({ cashStatus }) => cashStatus),
  column('Amount to collect', 'Montant à encaisser', 'المبلغ المطلوب تحصيله', ({ codAmount }) => codAmount),
  column('Declared value', 'Valeur déclarée', 'القيمة المصرح بها', ({ declaredValue }) => declaredValue),
  column('Recipient', 'Destinataire', 'المستلم', ({ recipient }) => recipient.name),
  column('Phone', 'Téléphone', 'الهاتف', ({ recipient }) => recipient.phone),
  column('State code', 'Code de la région', 'رمز الولاية', ({ destination }) => destination.stateCode),
  column('State', 'Région', 'الولاية', ({ destination }) => destination.stateName),
  column('City', 'Commune', 'البلدية', ({ destination }) => destination.cityName),
  column('Address', 'Adresse', 'العنوان', ({ destination }) => destination.address),
  column('Delivery type', 'Type de livraison', 'نوع التوصيل', ({ destination }) => destination.deliveryType),
  column('Weight (kg)', 'Poids (kg)', 'الوزن (كغ)', ({ weightKg }) => weightKg),
  column('Contents', 'Contenu', 'المحتوى', ({ contents }) => contents),
  column('Delivery attempts', 'Tentatives', 'محاولات التوصيل', ({ deliveryAttempts }) => deliveryAttempts),
  column('Created', 'Créé', 'تاريخ الإنشاء', ({ createdAt }) => createdAt),
  column('Submitted', 'Remis', 'تاريخ التسليم للناقل', ({ submittedAt }) => submittedAt),
  column('Delivered', 'Livré', 'تاريخ التوصيل', ({ deliveredAt }) => deliveredAt),
  column('Returned', 'Retourné', 'تاريخ الإرجاع', ({ returnedAt }) => returnedAt),
  column('Parcel id', 'Identifiant', 'المعرف', ({ id }) => id),
  column('Order id', 'Commande', 'معرف الطلب', ({ orderId }) => orderId),
]
