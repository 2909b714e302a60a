export default {
  name: 'redis-news',
  title: 'News to 10,000 listeners over four processes',
  driver: 'redis-news',
  adapter: 'redis',
  single: true,
  slow: true,
  rows: [{ id: 'until the last has heard', unit: 'ms', lower: true, targets: [] }],
}
