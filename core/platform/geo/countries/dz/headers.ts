import type { ColumnHeaders } from '../../catalogue/catalogue.ts'

/** Column names of Algerian sheets. */
export const headers: ColumnHeaders = {
  state: ['wilaya', 'willaya', 'wilaya de livraison', 'wilaya client', 'nom wilaya', 'ولاية التوصيل', 'ولاية الزبون', 'اسم الولاية'],
  city: ['baladia', 'baladiya', 'baladiyah', 'بلدية التوصيل', 'بلدية الزبون', 'اسم البلدية'],
}
