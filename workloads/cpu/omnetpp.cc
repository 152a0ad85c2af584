// omnetpp.cc - stands in for SPEC's omnetpp: a discrete-event simulation of Ethernets (ns-3), forty segments around one hub.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/csma-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"

using namespace ns3;

static void add_segment(const NodeContainer &hub, InternetStackHelper &stack, int segment)
{
    const int hosts = 12;
    NodeContainer nodes, link(hub.Get(0));
    nodes.Create(hosts);
    link.Add(nodes);
    CsmaHelper wire;
    wire.SetChannelAttribute("DataRate", StringValue("100Mbps"));
    wire.SetChannelAttribute("Delay", TimeValue(NanoSeconds(6560)));
    const auto devices = wire.Install(link);
    stack.Install(nodes);
    Ipv4AddressHelper address;
    address.SetBase(("10.1." + std::to_string(segment) + ".0").c_str(), "255.255.255.0");
    const auto interfaces = address.Assign(devices);
    for (int i = 1; i <= hosts; i++) {
        UdpEchoServerHelper server(9);
        server.Install(link.Get(i));
        UdpEchoClientHelper client(interfaces.GetAddress(i % hosts + 1), 9);
        client.SetAttribute("MaxPackets", UintegerValue(100000));
        client.SetAttribute("Interval", TimeValue(MicroSeconds(900 + 37 * i + segment)));
        client.SetAttribute("PacketSize", UintegerValue(256 + 64 * (i & 3)));
        client.Install(link.Get(i)).Start(MilliSeconds(10 + i));
    }
}

int main()
{
    NodeContainer hub;
    hub.Create(1);
    InternetStackHelper stack;
    stack.Install(hub);
    for (int segment = 0; segment < 40; segment++)
        add_segment(hub, stack, segment);
    Simulator::Stop(Seconds(5));
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}
