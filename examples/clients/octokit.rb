# Lists notifications with Octokit for Ruby. Usage: ruby octokit.rb http://localhost:4012
require 'octokit'

client = Octokit::Client.new(access_token: 'any', api_endpoint: "#{ARGV[0]}/")
puts "notifications: #{client.notifications.length}, #{client.last_response.status}"
