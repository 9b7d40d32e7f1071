/** Words of the page that sends orders. */
export const send = {
  'send.title': { one: '{count} order to send', other: '{count} orders to send' },
  'send.sendAndPrint': { one: 'Send and print', other: 'Send and print {count}' },
  'send.empty': 'Nothing waits to be sent. Confirmed orders appear here.',
  'send.more': 'More orders wait. Send or correct these first.',
  'send.carrier': 'Carrier',
  'send.orders': 'Orders',
  'send.toCollect': 'To collect',
  'send.notSent': { one: '{count} order cannot be sent', other: '{count} orders cannot be sent' },
  'send.choose': 'Choose orders one by one',
}
